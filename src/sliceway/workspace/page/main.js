// Puts the page together: who looks, at which place, and what is drawn when something changed.

import { hasKey, linkToHere, listen, look, Refused, takeKey } from "./api.js";
import { composer } from "./composer.js";
import { $, announce, framed, h } from "./dom.js";
import { Faults } from "./faults.js";
import { Home } from "./home.js";
import { JOURNEYS } from "./journeys.js";
import { Landed } from "./landed.js";
import { spoken } from "./message.js";
import { Modals } from "./modals.js";
import { Player } from "./player.js";
import { QUESTIONS } from "./questions.js";
import { drawActors, drawSidebar } from "./sidebar.js";
import { Store } from "./store.js";
import { Timeline } from "./timeline.js";

const LOST = "The workspace is gone. This page goes on by itself once it is back; if it was started anew, open the address that it prints.";
const SPOKEN_AT_MOST = 3; // messages read out at once; of more only the number

class Page {
  constructor() {
    this.store = new Store();
    this.wanted = new URLSearchParams(location.hash.slice(1));
    this.unhurried = !this.wanted.has("fast");
    this.timeline = new Timeline(this, $("timeline"), { inThread: false, label: "Messages" });
    this.thread = new Timeline(this, $("thread"), { inThread: true, label: "Thread" });
    const channel = () => this.store.channel;
    this.compose = composer(this, { label: "Message", channel, thread: () => "", hints: () => this.hints() });
    this.reply = composer(this, { label: "Reply", channel, thread: () => this.store.thread, hints: () => [] });
    $("compose").append(this.compose.node);
    $("thread-compose").append(this.reply.node);
    this.modals = new Modals(this);
    this.landed = new Landed(this, { slices: $("slices"), ledger: $("ledger"), count: $("count") });
    this.faults = new Faults(this, $("faults"));
    this.home = new Home(this);
    this.player = new Player(this, [[$("journeys"), JOURNEYS], [$("questions"), QUESTIONS]]);
    this.drawSide = framed(() => drawSidebar(this, { channels: $("channels"), directs: $("directs") }));
    this.store.watch((what, more) => this.changed(what, more));
    this.listenToKeys();
  }

  async start() {
    try {
      this.store.state = await look("state");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.askForKey(error.status === 403 && hasKey() ? "That key is not the one of this workspace." : "");
    }
    const person = this.store.actors().find((each) => each.id === this.wanted.get("as")) ?? this.store.actors()[0];
    this.ready = true;
    $("more").hidden = !this.store.state.backstage;
    await this.go(person.id, this.wanted.get("in") ?? "", this.wanted.get("thread") ?? "");
    document.body.dataset.ready = "yes";
  }

  askForKey(wrong) {
    $("door-wrong").textContent = wrong;
    $("link").textContent = "no key";
    $("door-form").onsubmit = (event) => {
      event.preventDefault();
      takeKey($("door-key").value);
      $("door").close();
      if (this.ready) this.wanted = new URLSearchParams(location.hash.slice(1)); // where one was when it went away
      this.store.me = ""; // so that it is listened to anew
      this.start();
    };
    if (!$("door").open) $("door").showModal();
  }

  // Looks through somebody's eyes at a place of theirs.
  async go(who, channel, thread = "", focus = false) {
    const { store } = this;
    if (store.me !== who) this.become(who);
    const places = store.places();
    const place = places.find((each) => each.id === channel) ?? places.find((each) => each.name) ?? places[0];
    const moved = store.channel !== place?.id;
    store.channel = place?.id ?? "";
    store.unread.delete(store.channel);
    if (moved) {
      if (this.home.open) this.home.show(false);
      store.thread = "";
      this.show("chat");
    }
    await this.try(() => store.load(store.channel));
    if (moved || this.timeline.list !== store.list(store.channel)) this.timeline.show(store.channel, store.list(store.channel));
    this.drawPlace();
    await this.openThread(thread, false);
    if (focus) this.compose.box.focus();
  }

  become(who) {
    const { store } = this;
    this.stop?.();
    store.me = who;
    store.channel = store.thread = "";
    store.forget();
    store.unread.clear();
    store.views = [];
    store.lastSeen = undefined;
    this.modals.show([]);
    drawActors(this, $("actor"));
    $("me").textContent = store.nameOf(store.person(who));
    this.stop = listen(who, {
      onOpen: () => this.opened(),
      onBatch: (batch) => store.take(batch),
      onLost: (refused) => {
        $("link").textContent = "connection lost";
        $("link").className = "status bad";
        $("trouble").textContent = refused ? "" : LOST;
        if (refused) this.askForKey("The workspace was started again and has a new key. Paste the address that it printed.");
      },
    });
  }

  // After a loss, what is shown is fetched again: the stream tells only what changes from now on.
  async opened() {
    const again = $("link").className.includes("bad");
    $("link").textContent = "live";
    $("link").className = "status good";
    if (!again) return;
    $("trouble").textContent = "";
    this.store.forget();
    await this.try(() => this.store.load(this.store.channel));
    this.timeline.show(this.store.channel, this.store.list(this.store.channel));
    if (this.store.thread) await this.openThread(this.store.thread, false);
  }

  async openThread(ts, focus) {
    const { store } = this;
    store.thread = ts;
    $("thread-pane").hidden = !ts;
    document.body.classList.toggle("in-thread", Boolean(ts));
    if (ts) {
      await this.try(() => store.load(store.channel, ts));
      if (this.thread.list !== store.list(store.channel, ts)) this.thread.show(store.channel, store.list(store.channel, ts));
      this.reply.refresh("Reply in the thread", this.mayWrite());
      if (focus) this.reply.box.focus();
    }
    this.remember();
  }

  closeThread() {
    const root = this.store.thread;
    this.openThread("", false);
    (document.querySelector(`#timeline [data-ts="${root}"] .replies`) ?? this.compose.box).focus();
  }

  mayWrite() {
    return this.store.place(this.store.channel)?.members.includes(this.store.me) ?? false;
  }

  // Whether the bot cannot hear what is said here.
  deaf() {
    const place = this.store.place(this.store.channel);
    return Boolean(place) && !place.members.includes(this.store.bot);
  }

  // Why nothing would answer what is said here, if nothing would.
  unheard() {
    if (this.deaf()) return "The bot is not a member here and hears nothing.";
    return this.store.state.app.connected ? "" : "No bot is connected: nothing answers here.";
  }

  hints() {
    if (this.deaf()) return [["/invite @sliceway", "/invite @sliceway"]];
    const direct = this.store.place(this.store.channel)?.kind === "im";
    const to = direct ? "" : "@sliceway ";
    return [["remember …", `${to}remember that `], ["recall …", `${to}what do we know about `], ["share …", `${to}share with the team: `], ["/1on1", "/1on1 "], ["/slices", "/slices"]];
  }

  // What an empty place says to somebody who has just come.
  welcome() {
    const { store } = this;
    const place = store.place(store.channel);
    if (!place) return [];
    if (this.deaf()) return [h("h2", {}, `Nothing in ${store.titleOf(place)} yet`)];
    const direct = place.kind === "im";
    const say = direct ? "remember that my parking spot is B12" : "@sliceway remember that build 2301 is the rollback target";
    return [
      h("h2", {}, direct ? "You and the bot" : `Welcome to ${store.titleOf(place)}`),
      h("p", {}, "A bot with a memory lives here. Each thing it remembers lands in exactly one slice: its own mind, a person’s private corner, or, after a manager’s yes, the team’s knowledge base.", store.state.backstage ? " “Where it landed” shows which." : ""),
      h("p", {}, "Play a journey, or try it yourself: ", h("button", { type: "button", onclick: () => { this.compose.fill(say); this.compose.box.focus(); } }, say)),
    ];
  }

  drawPlace() {
    const { store } = this;
    const place = store.place(store.channel);
    const title = store.titleOf(place);
    $("title").textContent = title;
    const members = place?.kind === "im" ? "a direct message" : `${place?.members.length ?? 0} members`;
    $("about").textContent = place?.kind === "external" ? `${members} · shared with another company` : place?.kind === "private" ? `${members} · private` : members;
    document.title = `${title} · Sliceway`;
    this.home.place(place);
    this.compose.refresh(this.mayWrite() ? `Message ${title}` : `${store.nameOf(store.person(store.me))} is not a member here`, this.mayWrite(), this.unheard());
    this.drawSide();
  }

  remember() {
    const { store } = this;
    const said = new URLSearchParams({ as: store.me, in: store.channel, ...(store.thread ? { thread: store.thread } : {}), ...(this.unhurried ? {} : { fast: "1" }) });
    history.replaceState(null, "", `#${said}`);
  }

  changed(what, more) {
    const { store } = this;
    if (!this.ready) return;
    if (what === "state") {
      this.faults.show(store.state.faults);
      if (document.activeElement !== $("actor")) drawActors(this, $("actor"));
      this.drawPlace();
    } else if (what === "views") {
      this.modals.show(store.views);
      this.home.draw();
    } else if (what === "landings") {
      $("landed").hidden = false;
      this.landed.draw();
    } else {
      this.timeline.ask();
      this.thread.ask();
      if (what === "messages") {
        this.drawSide();
        this.readOut(more);
      }
    }
  }

  readOut(fresh) {
    const heard = fresh.filter((each) => each.user !== this.store.me && each.channel === this.store.channel);
    if (!heard.length) return;
    announce(heard.length > SPOKEN_AT_MOST ? `${heard.length} new messages` : heard.map((each) => spoken(this, each)).join(". "));
  }

  // Does something; what goes wrong is shown in words. Returns what came of it, or null.
  async try(work) {
    try {
      const done = await work();
      $("trouble").textContent = "";
      return done ?? true;
    } catch (error) {
      $("trouble").textContent = error instanceof TypeError ? "The workspace cannot be reached; is it still running?" : error.message;
      return null;
    }
  }

  show(what) {
    document.body.dataset.show = what;
    for (const each of document.querySelectorAll(".shows button")) each.setAttribute("aria-pressed", String(each.dataset.to === what));
  }

  // What a journey does just now, above the messages; while it runs it can be held from there too.
  caption(words, hold) {
    $("caption").hidden = !words;
    $("caption").replaceChildren(h("span", { class: "grow" }, words), hold ?? h("button", { type: "button", class: "quiet", "aria-label": "Close this line", onclick: () => this.caption("") }, "✕"));
  }

  listenToKeys() {
    $("actor").addEventListener("change", (event) => this.go(event.target.value, this.store.channel));
    $("thread-close").addEventListener("click", () => this.closeThread());
    $("second").addEventListener("click", (event) => { event.currentTarget.href = linkToHere(); });
    for (const each of document.querySelectorAll(".shows button")) each.addEventListener("click", () => this.show(each.dataset.to));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.store.thread && !document.querySelector("dialog[open]")) this.closeThread();
    });
    document.addEventListener("click", (event) => {
      const place = event.target.closest?.("a[data-go]");
      if (!place) return;
      event.preventDefault();
      this.go(this.store.me, place.dataset.go, "", true);
    });
    this.show("chat");
  }
}

new Page().start();
