// Plays a journey: all at once, or step by step, and stops where it is asked to.

import { announce, h } from "./dom.js";
import { Hands } from "./journeys.js";

const BETWEEN = 1600; // milliseconds to read what happened

export class Player {
  // `groups`: each a place on the page and the journeys that stand there.
  constructor(page, groups) {
    this.page = page;
    this.running = null;
    this.rows = [];
    for (const [node, journeys] of groups) {
      const rows = journeys.map((journey) => this.row(journey));
      node.replaceChildren(...rows.map((row) => row.node));
      this.rows.push(...rows);
    }
  }

  row(journey) {
    const steps = journey.steps.map(([words]) => h("li", {}, words, h("small", {})));
    const play = h("button", { type: "button", class: "play", "aria-label": `Play: ${journey.name}`, onclick: () => this.play(row) }, "▶ Play");
    const hold = h("button", { type: "button", hidden: true, onclick: () => this.hold() }, "❚❚ Pause");
    const step = h("button", { type: "button", hidden: true, onclick: () => this.step() }, "Step");
    const stop = h("button", { type: "button", hidden: true, onclick: () => this.stop() }, "Stop");
    const end = h("p", { class: "end", role: "status" });
    const list = h("ol", { hidden: true }, steps);
    const node = h(
      "section",
      { class: "journey", "data-journey": journey.id, "aria-label": journey.name },
      h("div", { class: "journey-head" }, h("h3", {}, journey.name), play, hold, step, stop),
      h("p", { class: "soft" }, journey.what),
      list,
      end,
    );
    const row = { journey, node, play, hold, step, stop, end, list, steps };
    return row;
  }

  async play(row) {
    const run = { row, at: 0, held: false, stopped: false, wake: null, once: false };
    this.stop();
    this.running = run;
    delete row.node.dataset.outcome;
    for (const each of this.rows) each.end.textContent = "";
    row.end.className = "end";
    for (const each of row.steps) {
      each.className = "";
      each.querySelector("small").textContent = "";
    }
    this.show();
    row.hold.focus();
    const hands = new Hands(this.page);
    try {
      for (const [index, [words, work]] of row.journey.steps.entries()) {
        if (index > 0) await this.between(run);
        if (run.stopped) return;
        row.steps[index].className = "now";
        row.steps[index].setAttribute("aria-current", "step");
        announce(words);
        this.page.caption(words, this.holder());
        const found = await work(hands);
        if (typeof found === "string") {
          row.steps[index].querySelector("small").textContent = found;
          announce(found);
          this.page.caption(found, this.holder());
        }
        row.steps[index].className = "done";
        row.steps[index].removeAttribute("aria-current");
      }
      row.end.textContent = `✓ ${row.journey.end}`;
      row.node.dataset.outcome = "ok";
    } catch (error) {
      row.end.className = "end wrong";
      row.end.textContent = `Stopped: ${error.message}`;
      this.page.caption("");
      row.node.dataset.outcome = "failed";
    } finally {
      if (this.running === run) this.running = null;
      this.show();
      if (row.node.dataset.outcome === "ok") this.page.caption(row.end.textContent);
      if (!run.stopped && (document.activeElement === document.body || row.node.contains(document.activeElement))) row.play.focus();
    }
  }

  // Waits for the eye, or as long as it is held; a step lets one more through.
  async between(run) {
    const until = Date.now() + (this.page.unhurried ? BETWEEN : 0);
    while (!run.stopped && (run.held ? !run.once : Date.now() < until)) {
      await new Promise((go) => {
        run.wake = go;
        setTimeout(go, run.held ? 1000 : Math.max(0, until - Date.now()));
      });
    }
    run.once = false;
  }

  holder() {
    return h("button", { type: "button", "data-holds": "", onclick: () => this.running && this.hold() }, this.running?.held ? "▶ Go on" : "❚❚ Pause");
  }

  hold() {
    this.running.held = !this.running.held;
    this.show();
    this.running.wake?.();
  }

  step() {
    this.running.held = true;
    this.running.once = true;
    this.show();
    this.running.wake?.();
  }

  stop() {
    if (!this.running) return;
    this.running.stopped = true;
    this.running.wake?.();
    this.running = null;
    this.page.caption("");
    this.show();
  }

  show() {
    const holder = document.querySelector("[data-holds]");
    if (holder) holder.textContent = this.running?.held ? "▶ Go on" : "❚❚ Pause";
    for (const row of this.rows) {
      const mine = this.running?.row === row;
      row.node.classList.toggle("running", mine);
      row.play.hidden = mine;
      row.play.disabled = Boolean(this.running);
      for (const each of [row.hold, row.step, row.stop]) each.hidden = !mine;
      row.list.hidden = !(mine || row.node.dataset.outcome === "failed" || (row.journey.keeps && row.node.dataset.outcome));
      row.hold.textContent = mine && this.running.held ? "▶ Go on" : "❚❚ Pause";
    }
  }
}
