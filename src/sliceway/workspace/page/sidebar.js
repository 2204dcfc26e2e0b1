// Places that this person can go to.

import { avatar, h } from "./dom.js";
import { icon } from "./icons.js";

const MARKS = { public: "#", external: "⇄" };
const KINDS = { private: "private channel", external: "shared with another company", public: "channel" };

function entry(page, place, mark, name, kind) {
  const { store } = page;
  const unread = store.unread.get(place.id) ?? 0;
  const here = store.channel === place.id;
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: `place${here ? " here" : ""}${unread ? " unread" : ""}`,
        "aria-current": here ? "page" : null,
        "aria-label": `${name}, ${kind}${unread ? `, ${unread} new` : ""}`,
        "data-place": place.id,
        onclick: () => page.go(store.me, place.id, "", true),
      },
      mark,
      h("span", { class: "grow" }, name),
      unread ? h("span", { class: "badge" }, unread > 99 ? "99+" : String(unread)) : null,
    ),
  );
}

export function drawSidebar(page, { channels, directs }) {
  const { store } = page;
  const focus = document.activeElement?.dataset?.place;
  const places = store.places();
  const named = places.filter((each) => each.kind !== "im" && each.kind !== "mpim");
  const direct = places.filter((each) => each.kind === "im" || each.kind === "mpim");
  channels.replaceChildren(
    ...named.map((each) => entry(page, each, h("span", { class: "glyph", "aria-hidden": "true" }, each.kind === "private" ? icon("user") : (MARKS[each.kind] ?? "#")), each.name, KINDS[each.kind] ?? "channel")),
  );
  document.getElementById("directs-title").hidden = direct.length === 0;
  directs.replaceChildren(
    ...direct.map((each) => {
      const other = store.person(each.members.find((member) => member !== store.me) ?? store.me);
      return entry(page, each, avatar(other), store.titleOf(each), "direct message");
    }),
  );
  if (focus) document.querySelector(`[data-place="${CSS.escape(focus)}"]`)?.focus();
}

const GROUPS = [["member", "Members"], ["manager", "Managers: they approve"], ["guest", "Guests"], ["stranger", "Strangers: another company"]];

export function drawActors(page, select) {
  const { store } = page;
  select.replaceChildren(
    ...GROUPS.map(([role, label]) =>
      h("optgroup", { label }, store.actors().filter((each) => each.role === role).map((each) => h("option", { value: each.id, selected: each.id === store.me }, store.nameOf(each)))),
    ).filter((group) => group.children.length),
  );
}
