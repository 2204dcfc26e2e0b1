// What stands inside blocks and can be pressed, chosen or filled in. `ctx.press(element, block, value)` tells the app;
// inside an input block nothing is pressed, and `read()` gives what a form sends.

import { h } from "./dom.js";
import { textOf } from "./text.js";

const optionsOf = (element) => [
  ...(element.options ?? []),
  ...(element.option_groups ?? []).flatMap((group) => group.options),
];

function confirmed(ctx, confirm) {
  if (!confirm) return Promise.resolve(true);
  return new Promise((go) => {
    const box = h(
      "dialog",
      { class: "modal small", "aria-label": confirm.title?.text ?? "Are you sure?" },
      h("h2", {}, textOf(ctx.store, confirm.title)),
      h("div", { class: "modal-body" }, textOf(ctx.store, confirm.text)),
      h(
        "div",
        { class: "modal-foot" },
        h("button", { type: "button", onclick: () => box.close("") }, confirm.deny?.text ?? "Cancel"),
        h("button", { type: "button", class: "primary", onclick: () => box.close("yes") }, confirm.confirm?.text ?? "Yes"),
      ),
    );
    box.addEventListener("close", () => {
      box.remove();
      go(box.returnValue === "yes");
    });
    document.body.append(box);
    box.showModal();
  });
}

async function press(ctx, element, block, value, node) {
  if (!(await confirmed(ctx, element.confirm))) return;
  node?.classList.add("busy");
  try {
    await ctx.press(element, block, value);
  } finally {
    node?.classList.remove("busy");
  }
}

function button(ctx, element, block) {
  const style = { primary: "primary", danger: "danger" }[element.style] ?? "";
  const name = { "aria-label": element.accessibility_label, "data-key": `${block}/${element.action_id}` };
  if (element.url) return h("a", { class: `button ${style}`, href: element.url, target: "_blank", rel: "noopener noreferrer" }, textOf(ctx.store, element.text));
  const made = h("button", { type: "button", class: style, ...name }, textOf(ctx.store, element.text));
  made.addEventListener("click", () => press(ctx, element, block, element.value, made));
  return made;
}

function overflow(ctx, element, block) {
  const shut = (focus) => {
    menu.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    if (focus) opener.focus();
  };
  const items = element.options.map((option) =>
    h(
      "button",
      { type: "button", role: "menuitem", tabindex: "-1", onclick: () => { shut(true); press(ctx, element, block, option.value); } },
      textOf(ctx.store, option.text),
    ),
  );
  const menu = h("div", { class: "menu", role: "menu", hidden: true }, items);
  const opener = h(
    "button",
    { type: "button", class: "quiet", "aria-label": "More", "aria-haspopup": "menu", "aria-expanded": "false", "data-key": `${block}/${element.action_id}` },
    "⋯",
  );
  opener.addEventListener("click", () => {
    menu.hidden = !menu.hidden;
    opener.setAttribute("aria-expanded", String(!menu.hidden));
    if (!menu.hidden) items[0].focus();
  });
  const holder = h("span", { class: "overflow" }, opener, menu);
  holder.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement);
    if (event.key === "Escape" && !menu.hidden) { event.stopPropagation(); shut(true); }
    if (event.key === "ArrowDown") { event.preventDefault(); items[(at + 1) % items.length].focus(); }
    if (event.key === "ArrowUp") { event.preventDefault(); items[(at - 1 + items.length) % items.length].focus(); }
  });
  holder.addEventListener("focusout", (event) => { if (!holder.contains(event.relatedTarget)) shut(false); });
  return holder;
}

// The choices of a select that lists people or places instead of options of its own.
function known(ctx, kind) {
  const { store } = ctx;
  if (kind.includes("users")) return store.actors().map((each) => ({ value: each.id, text: store.nameOf(each) }));
  return store.places().filter((each) => each.name).map((each) => ({ value: each.id, text: store.titleOf(each) }));
}

function select(ctx, element, block, state) {
  const many = element.type.startsWith("multi_");
  const own = optionsOf(element);
  const choices = own.length ? own.map((each) => ({ value: each.value, text: each.text.text })) : known(ctx, element.type);
  const noun = /(users|channels|conversations)/.exec(element.type)?.[1].replace(/s$/, "");
  const first = state ?? {};
  const chosen = many
    ? (first.selected_options ?? element.initial_options ?? []).map((each) => each.value)
    : [first.selected_option?.value ?? first[`selected_${noun}`] ?? element.initial_option?.value ?? element[`initial_${noun}`]];
  const hint = element.placeholder?.text ?? "Choose…";
  const made = h(
    "select",
    { multiple: many, "data-key": `${block}/${element.action_id}`, "aria-label": hint },
    many ? null : h("option", { value: "" }, hint),
    choices.map((each) => h("option", { value: each.value, selected: chosen.includes(each.value) }, each.text)),
  );
  made.addEventListener("change", () => made.value && press(ctx, element, block, made.value));
  made.read = () => {
    const values = [...made.selectedOptions].map((each) => each.value).filter(Boolean);
    if (many) return { type: element.type, selected_options: own.filter((each) => values.includes(each.value)) };
    if (noun && !own.length) return { type: element.type, [`selected_${noun}`]: values[0] ?? null };
    return { type: element.type, selected_option: own.find((each) => each.value === values[0]) ?? null };
  };
  return made;
}

function ticks(ctx, element, block, state) {
  const one = element.type === "radio_buttons";
  const before = one
    ? [(state?.selected_option ?? element.initial_option)?.value]
    : (state?.selected_options ?? element.initial_options ?? []).map((each) => each.value);
  const boxes = element.options.map((option) =>
    h("input", { type: one ? "radio" : "checkbox", name: `${block}/${element.action_id}`, value: option.value, checked: before.includes(option.value) }),
  );
  const rows = element.options.map((option, index) =>
    h("label", {}, boxes[index], h("span", {}, textOf(ctx.store, option.text), option.description ? h("small", {}, textOf(ctx.store, option.description)) : null)),
  );
  const made = h("div", { class: "ticks", role: one ? "radiogroup" : "group" }, rows);
  made.addEventListener("change", (event) => press(ctx, element, block, event.target.value));
  made.read = () => {
    const picked = element.options.filter((option, index) => boxes[index].checked);
    return one ? { type: element.type, selected_option: picked[0] ?? null } : { type: element.type, selected_options: picked };
  };
  return made;
}

const FIELDS = {
  plain_text_input: "text", number_input: "number", email_text_input: "email", url_text_input: "url",
  datepicker: "date", timepicker: "time",
};

function field(ctx, element, block, state) {
  const noun = /^(date|time)picker$/.exec(element.type)?.[1];
  const before = (noun ? (state?.[`selected_${noun}`] ?? element[`initial_${noun}`]) : (state?.value ?? element.initial_value)) ?? "";
  const more = { value: before, placeholder: element.placeholder?.text, maxlength: element.max_length, "data-key": `${block}/${element.action_id}` };
  const made = element.multiline
    ? h("textarea", { rows: 6, ...more })
    : h("input", { type: FIELDS[element.type] ?? "text", ...more });
  if (noun) made.addEventListener("change", () => made.value && press(ctx, element, block, made.value));
  made.read = () => (noun ? { type: element.type, [`selected_${noun}`]: made.value || null } : { type: element.type, value: made.value || null });
  return made;
}

export function image(element) {
  // Nothing is fetched from elsewhere, so a picture is shown by its words.
  return h("span", { class: "image", role: "img", "aria-label": element.alt_text || "image" }, `🖼 ${element.alt_text || "image"}`);
}

export function elementOf(ctx, element, block, state) {
  const kind = element.type;
  if (kind === "button" || kind === "workflow_button") return button(ctx, element, block);
  if (kind === "overflow") return overflow(ctx, element, block);
  if (kind === "image") return image(element);
  if (kind === "checkboxes" || kind === "radio_buttons") return ticks(ctx, element, block, state);
  if (kind.endsWith("_select")) return select(ctx, element, block, state);
  return field(ctx, element, block, state);
}
