// The app's modals in front of this person: the top one of the stack, in a real dialog, so that focus stays inside.

import { act, asked } from "./api.js";
import { blocksOf } from "./blocks.js";
import { h } from "./dom.js";
import { valuesOf } from "./elements.js";
import { textOf } from "./text.js";

// What is filled in goes before what the form began with, field by field.
const mixed = (first, later) => {
  const values = { ...first };
  for (const [block, entries] of Object.entries(later ?? {})) values[block] = { ...values[block], ...entries };
  return values;
};

export class Modals {
  constructor(page) {
    this.page = page;
    this.open = null;
  }

  show(views) {
    const modals = views.filter((each) => each.view.type === "modal");
    const above = new Set(modals.map((each) => each.view.previous_view_id));
    const top = modals.find((each) => !above.has(each.id)) ?? null;
    if (this.open && top && this.open.id === top.id && this.open.hash === top.view.hash) return;
    const kept = this.open && top && this.open.id === top.id ? this.values() : null;
    const back = this.open?.back ?? document.activeElement;
    this.open?.box.remove();
    this.open = top ? this.draw(top, kept, back) : null;
    if (!top && back?.isConnected) back.focus();
  }

  values() {
    return valuesOf(this.open.fields);
  }

  draw({ id, view }, kept, back) {
    const { page } = this;
    const [inputs, fields] = [new Map(), new Map()];
    const ctx = {
      store: page.store,
      inputs,
      fields,
      ask: (...what) => asked(page, { view_id: id }, ...what),
      values: mixed(view.state.values, kept),
      press: (element, block, value) =>
        page.try(() => act("click", { user: page.store.me, view_id: id, action_id: element.action_id, block_id: block, ...(value === undefined ? {} : { value }), values: valuesOf(fields) })),
    };
    const close = () => page.try(() => act("close", { user: page.store.me, view_id: id }));
    const failed = h("p", { class: "wrong", role: "alert" });
    const form = h(
      "form",
      { novalidate: true, onsubmit: (event) => { event.preventDefault(); this.submit(id, failed); } },
      h("div", { class: "modal-head" }, h("h2", { id: `t-${id}` }, textOf(page.store, view.title)), h("button", { type: "button", class: "quiet", "aria-label": "Close this form", onclick: close }, "✕")),
      h("div", { class: "modal-body" }, blocksOf(ctx, view.blocks), failed),
      h(
        "div",
        { class: "modal-foot" },
        h("button", { type: "button", onclick: close }, textOf(page.store, view.close ?? { text: "Close" })),
        view.submit ? h("button", { type: "submit", class: "primary" }, textOf(page.store, view.submit)) : null,
      ),
    );
    const box = h("dialog", { class: "modal", "aria-labelledby": `t-${id}` }, form);
    box.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
    document.body.append(box);
    box.showModal();
    box.querySelector(".modal-body :is(input, textarea, select)")?.focus();
    return { id, hash: view.hash, box, inputs, fields, back };
  }

  async submit(id, failed) {
    const { page } = this;
    let missing = null;
    for (const { node, optional, wrong } of this.open.inputs.values()) {
      const value = node.read();
      const empty = !Object.entries(value).some(([name, each]) => name !== "type" && each !== null && each !== "" && !(Array.isArray(each) && !each.length));
      document.getElementById(wrong).textContent = empty && !optional ? "This is needed." : "";
      if (empty && !optional) missing ??= node;
    }
    if (missing) return missing.focus();
    const { inputs } = this.open;
    const outcome = await page.try(() => act("submit", { user: page.store.me, view_id: id, values: this.values() }));
    if (!outcome) return;
    if (!outcome.acked) failed.textContent = "The app did not answer. Nothing was sent twice; try again.";
    for (const [block, words] of Object.entries(outcome.errors ?? {})) {
      const input = inputs.get(block);
      if (input) document.getElementById(input.wrong).textContent = words;
      else failed.textContent = words;
    }
  }
}
