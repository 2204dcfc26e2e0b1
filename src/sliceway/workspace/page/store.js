// What this page knows: people, places, messages as one person sees them. Others subscribe to what changed.

import { messages as fetched } from "./api.js";

class List {
  constructor() {
    this.known = new Map();
    this.order = [];
    this.loading = null;
    this.late = [];
  }

  put(ts, message) {
    if (this.loading) this.late.push([ts, message]); // what comes while the list is fetched is newer than the answer
    if (!message) {
      if (this.known.delete(ts)) this.order.splice(this.order.indexOf(ts), 1);
      return;
    }
    if (!this.known.has(ts)) {
      let at = this.order.length;
      while (at > 0 && this.order[at - 1] > ts) at -= 1;
      this.order.splice(at, 0, ts);
    }
    this.known.set(ts, message);
  }

  fill(messages) {
    this.known = new Map(messages.map((message) => [message.ts, message]));
    this.order = messages.map((message) => message.ts).sort();
    this.loading = null;
    const late = this.late;
    this.late = [];
    for (const [ts, message] of late) this.put(ts, message);
  }
}

export class Store {
  constructor() {
    this.me = "";
    this.channel = "";
    this.thread = "";
    this.state = null;
    this.views = [];
    this.landings = null;
    this.unread = new Map();
    this.chosen = new Map();
    this.lists = new Map();
    this.watchers = new Set();
  }

  watch(watcher) {
    this.watchers.add(watcher);
  }

  tell(what, more) {
    for (const watcher of this.watchers) watcher(what, more);
  }

  person(id) {
    return this.state?.users.find((each) => each.id === id);
  }

  place(id) {
    return this.state?.channels.find((each) => each.id === id);
  }

  get bot() {
    return this.state?.app.bot_user_id;
  }

  nameOf(person) {
    return person?.real_name || person?.name || "somebody";
  }

  titleOf(place) {
    if (!place) return "";
    if (place.kind !== "im" && place.kind !== "mpim") return `#${place.name}`;
    const others = place.members.filter((each) => each !== this.me);
    return (others.length ? others : place.members).map((each) => this.nameOf(this.person(each))).join(", ");
  }

  actors() {
    return this.state.users.filter((each) => each.role !== "bot" && !each.deleted);
  }

  places(who = this.me) {
    const person = this.person(who);
    const full = person && ["member", "manager"].includes(person.role);
    return this.state.channels.filter((each) => each.members.includes(who) || (full && each.kind === "public"));
  }

  direct(who) {
    return this.state.channels.find((each) => each.kind === "im" && each.members.includes(who) && each.members.includes(this.bot));
  }

  named(name) {
    return this.state.channels.find((each) => each.name === name);
  }

  list(channel, thread = "") {
    const name = `${channel}/${thread}`;
    if (!this.lists.has(name)) this.lists.set(name, new List());
    return this.lists.get(name);
  }

  // Fetches a channel or a thread once; later changes come by the stream.
  async load(channel, thread = "") {
    if (!channel) return;
    const name = `${channel}/${thread}`;
    const fresh = !this.lists.has(name);
    const list = this.list(channel, thread);
    if (fresh) list.loading = fetched(channel, this.me, thread);
    if (!list.loading) return;
    try {
      const seen = await list.loading;
      if (list.loading) list.fill(seen);
    } catch (error) {
      this.lists.delete(name);
      throw error;
    } finally {
      this.tell(thread ? "thread" : "timeline");
    }
  }

  forget() {
    this.lists.clear();
  }

  take(batch) {
    if (batch.state) {
      this.state = batch.state;
      this.tell("state");
    }
    if (batch.views) {
      this.views = batch.views;
      this.tell("views");
    }
    if (batch.landings) {
      this.landings = batch.landings;
      this.tell("landings");
    }
    if (batch.messages) this.takeMessages(batch.messages);
  }

  takeMessages(changes) {
    const fresh = [];
    for (const { channel, ts, message } of changes) {
      for (const [name, list] of this.lists) {
        const [place, thread] = name.split("/");
        if (place !== channel) continue;
        const reply = message && message.thread_ts && message.thread_ts !== ts;
        const belongs = thread
          ? message && (message.thread_ts === thread || ts === thread)
          : message && (!reply || message.subtype === "thread_broadcast");
        if (belongs && !list.known.has(ts) && !thread === !reply) fresh.push(message && { ...message, channel });
        if (belongs || !message) list.put(ts, message);
      }
      if (message && message.user !== this.me && channel !== this.channel) {
        if (this.lastSeen === undefined || ts > this.lastSeen) this.unread.set(channel, (this.unread.get(channel) ?? 0) + 1);
      }
    }
    const newest = changes.reduce((most, each) => (each.ts > most ? each.ts : most), this.lastSeen ?? "");
    this.lastSeen = newest;
    this.tell("messages", fresh);
  }
}
