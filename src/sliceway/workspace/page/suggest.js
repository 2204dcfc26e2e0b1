// Names to choose from while one types "@" or "#": by arrows and Enter or Tab, or by a click; Escape leaves them.

import { announce, avatar, h } from "./dom.js";

const TOKEN = /(^|[\s(])([@#])([\w.-]*)$/;
const MOST = 6;
let made = 0;

function people(store, wanted) {
  const fits = (each) => [each.name, ...(each.real_name ?? "").split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted));
  const known = store.state.users.filter((each) => !each.deleted && fits(each));
  const rank = (each) => (each.id === store.bot ? 2 : 0) + (each.name.toLowerCase().startsWith(wanted) ? 1 : 0); // a handle before a surname
  return known.sort((one, two) => rank(two) - rank(one)).map((each) => ({ text: `@${each.name}`, more: store.nameOf(each), mark: avatar(each) }));
}

function channels(store, wanted) {
  const known = store.places().filter((each) => each.name && !["im", "mpim"].includes(each.kind) && each.name.toLowerCase().startsWith(wanted));
  return known.map((each) => ({ text: `#${each.name}`, more: "", mark: null }));
}

// Returns what to put beside the text box. The box stays one for text; the choices hang on it by `aria-activedescendant`.
export function suggestions(store, box) {
  const id = `suggest-${(made += 1)}`;
  const list = h("ul", { id, class: "suggest", role: "listbox", "aria-label": "Suggestions", hidden: true });
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", id);
  let found = [];
  let at = 0;
  let token = null;

  const close = () => {
    list.hidden = true;
    token = null;
    box.removeAttribute("aria-activedescendant");
  };
  const mark = () => {
    [...list.children].forEach((each, index) => each.setAttribute("aria-selected", String(index === at)));
    box.setAttribute("aria-activedescendant", `${id}-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const take = (choice) => {
    const { start, end } = token;
    box.setRangeText(`${choice.text} `, start, end, "end");
    close();
    box.dispatchEvent(new Event("input"));
    box.focus();
  };
  const look = () => {
    const before = box.value.slice(0, box.selectionStart);
    const match = box.selectionStart === box.selectionEnd && document.activeElement === box ? TOKEN.exec(before) : null;
    const wanted = match?.[3].toLowerCase();
    const next = match ? (match[2] === "@" ? people : channels)(store, wanted).slice(0, MOST) : [];
    const whole = next.length === 1 && next[0].text.slice(1).toLowerCase() === wanted; // it is written out already
    if (!next.length || whole) return close();
    const fresh = list.hidden || next.map((each) => each.text).join() !== found.map((each) => each.text).join();
    found = next;
    token = { start: before.length - match[3].length - 1, end: before.length };
    if (!fresh) return;
    at = 0;
    list.replaceChildren(
      ...found.map((choice, index) =>
        h(
          "li",
          { id: `${id}-${index}`, role: "option", "aria-label": `${choice.text} ${choice.more}`.trim(), onmousedown: (event) => { event.preventDefault(); take(choice); } },
          choice.mark, h("strong", {}, choice.text), choice.more ? h("span", { class: "soft" }, choice.more) : null,
        ),
      ),
    );
    list.hidden = false;
    mark();
    announce(`${found.length} ${found.length === 1 ? "suggestion" : "suggestions"}: ${found.map((each) => each.text).join(", ")}. Arrows choose, Enter takes, Escape leaves.`);
  };

  box.addEventListener("input", look);
  box.addEventListener("click", look);
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      at = (at + step + found.length) % found.length;
      mark();
    } else if (event.key === "Escape") close();
    else if ((event.key === "Enter" && !event.shiftKey) || (event.key === "Tab" && !event.shiftKey)) take(found[at]);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation(); // neither sent, nor the thread closed
  });
  return list;
}
