// The Home tab of the bot: what the app published for this person, asked for anew whenever they open it.

import { act, asked } from "./api.js";
import { blocksOf } from "./blocks.js";
import { $, h } from "./dom.js";
import { valuesOf } from "./elements.js";

export class Home {
  constructor(page) {
    this.page = page;
    this.open = false;
    for (const each of document.querySelectorAll("#tabs button")) each.addEventListener("click", () => this.show(each.dataset.tab === "home"));
  }

  // Only the direct message with the bot has a Home.
  place(place) {
    const { store } = this.page;
    const here = place?.kind === "im" && place.members.includes(store.bot) && place.members.includes(store.me);
    $("tabs").hidden = !here;
    if (!here && this.open) this.show(false);
  }

  async show(open) {
    this.open = open;
    for (const each of document.querySelectorAll("#tabs button")) each.setAttribute("aria-pressed", String((each.dataset.tab === "home") === open));
    $("home").hidden = !open;
    for (const id of ["timeline", "compose"]) $(id).hidden = open;
    if (!open) return;
    this.drawn = "";
    this.draw();
    await this.page.try(() => act("open_home", { user: this.page.store.me }));
  }

  draw() {
    if (!this.open) return;
    const { page } = this;
    const { store } = page;
    const found = store.views.find((each) => each.view.type === "home");
    const name = found ? `${found.id}/${found.view.hash}` : "none";
    if (this.drawn === name) return; // only what one chose in it became known: the focus stays where it is
    this.drawn = name;
    const fields = new Map();
    const press = (element, block, value) =>
      page.try(() => act("click", { user: store.me, view_id: found.id, action_id: element.action_id, block_id: block, ...(value === undefined ? {} : { value }), values: valuesOf(fields) }));
    const ask = (...what) => asked(page, { view_id: found.id }, ...what);
    const ctx = { store, press, ask, fields, values: found?.view.state.values, inputs: new Map() };
    const nothing = h("p", { class: "soft" }, "The app has published nothing here yet.");
    $("home").replaceChildren(h("div", { class: "home-body" }, found ? blocksOf(ctx, found.view.blocks) : nothing));
  }
}
