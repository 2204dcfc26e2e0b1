// A list of messages of any length: only a window of rows exists, moved as one scrolls; changes are drawn once a frame.

import { framed, h } from "./dom.js";
import { messageRow } from "./message.js";

const ROWS = 120; // rows that exist at most
const STEP = 50; // how far the window moves at its edge
const NEAR = 300; // pixels from an edge at which it moves

export class Timeline {
  constructor(page, scroller, { inThread, label }) {
    this.page = page;
    this.scroller = scroller;
    this.inThread = inThread;
    this.rows = h("ol", { class: "rows", "aria-label": label });
    this.newer = h("button", { type: "button", class: "newer", hidden: true, onclick: () => this.toEnd() }, "Newer messages ↓");
    this.drawn = new Map();
    this.empty = h("div", { class: "empty-note", hidden: true });
    scroller.replaceChildren(this.empty, this.rows, this.newer);
    this.ask = framed(() => this.draw());
    scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // The end stays in sight when the pane becomes smaller or larger.
    new ResizeObserver(() => this.following && this.ask()).observe(scroller);
    this.show("", null);
  }

  show(channel, list) {
    this.channel = channel;
    this.list = list;
    this.drawn.clear();
    this.rows.replaceChildren();
    this.toEnd();
  }

  toEnd() {
    this.following = true;
    this.ask();
  }

  get order() {
    return this.list?.order ?? [];
  }

  scrolled() {
    if (this.settling) return; // our own doing
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const below = scrollHeight - clientHeight - scrollTop;
    const whole = this.to >= this.total; // of what was drawn: what has come since is not to be missed
    this.following = whole && below < 40;
    if (this.following) this.newer.hidden = true;
    if (scrollTop < NEAR && this.from > 0) this.move(-STEP);
    else if (below < NEAR && !whole) this.move(STEP);
  }

  move(by) {
    const size = Math.min(ROWS, this.order.length);
    this.from = Math.max(0, Math.min(this.from + by, this.order.length - size));
    this.to = this.from + size;
    this.following = false;
    this.ask();
  }

  draw() {
    const order = this.order;
    this.total = order.length;
    if (this.following || this.to === undefined) this.from = Math.max(0, order.length - ROWS);
    this.from = Math.min(this.from, Math.max(0, order.length - 1));
    this.to = this.following ? order.length : Math.min(this.from + ROWS, order.length);
    const held = this.following ? null : this.anchor();
    const focus = document.activeElement;
    const inside = this.rows.contains(focus) ? [focus.closest("li")?.dataset.ts, focus.dataset.key] : null;
    this.place(order.slice(this.from, this.to), inside);
    this.empty.hidden = this.inThread || !this.list || Boolean(this.list.loading) || order.length > 0;
    if (!this.empty.hidden) this.empty.replaceChildren(...this.page.welcome());
    this.newer.hidden = this.following || this.to >= order.length;
    this.settling = true;
    if (this.following) this.scroller.scrollTop = this.scroller.scrollHeight;
    else if (held) this.scroller.scrollTop += (this.drawn.get(held.ts)?.row.getBoundingClientRect().top ?? held.top) - held.top;
    requestAnimationFrame(() => { this.settling = false; });
  }

  // The first row in sight and where it stands, so that it stays there.
  anchor() {
    const edge = this.scroller.getBoundingClientRect().top;
    for (const [ts, { row }] of this.drawn) {
      const at = row.getBoundingClientRect();
      if (at.bottom > edge) return { ts, top: at.top };
    }
    return null;
  }

  place(wanted, focused) {
    const keep = new Set(wanted);
    for (const [ts, { row }] of this.drawn) {
      if (keep.has(ts)) continue;
      row.remove();
      this.drawn.delete(ts);
    }
    let before = null;
    for (const ts of wanted) {
      const message = this.list.known.get(ts);
      let drawn = this.drawn.get(ts);
      if (!drawn || (drawn.message !== message && !drawn.row.querySelector(".editing"))) {
        const row = messageRow(this.page, this.channel, message, { inThread: this.inThread });
        drawn?.row.replaceWith(row);
        drawn = { row, message };
        this.drawn.set(ts, drawn);
        if (focused && focused[0] === ts && focused[1]) row.querySelector(`[data-key="${CSS.escape(focused[1])}"]`)?.focus();
      }
      const next = before ? before.nextSibling : this.rows.firstChild;
      if (next !== drawn.row) this.rows.insertBefore(drawn.row, next);
      before = drawn.row;
    }
    this.drawn = new Map(wanted.map((ts) => [ts, this.drawn.get(ts)]));
  }

  // Draws every row again: somebody's name or role changed, or who looks.
  redraw() {
    for (const { row } of this.drawn.values()) row.remove();
    this.drawn.clear();
    this.ask();
  }
}
