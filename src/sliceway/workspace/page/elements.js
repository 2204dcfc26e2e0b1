// What stands inside blocks and can be pressed, chosen or filled in. `ctx.press(element, block, value)` tells the app;
// inside an input block nothing is pressed, and `read()` gives what stands in a field, as `ctx.fields` keeps it.

import { h } from "./dom.js";
import { icon } from "./icons.js";
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
  const nouns = /(users|channels|conversations)/.exec(element.type)?.[1];
  const noun = many ? nouns : nouns?.replace(/s$/, "");
  const first = state ?? {};
  const before = noun
    ? (first[`selected_${noun}`] ?? element[`initial_${noun}`])
    : many
      ? (first.selected_options ?? element.initial_options)?.map((each) => each.value)
      : (first.selected_option ?? element.initial_option)?.value;
  const chosen = [before ?? []].flat();
  const hint = element.placeholder?.text ?? "Choose…";
  const made = h(
    "select",
    { multiple: many, "data-key": `${block}/${element.action_id}`, "aria-label": hint },
    many ? null : h("option", { value: "" }, hint),
    choices.map((each) => h("option", { value: each.value, selected: chosen.includes(each.value) }, each.text)),
  );
  const picked = () => [...made.selectedOptions].map((each) => each.value).filter(Boolean);
  made.addEventListener("change", () => (many || made.value) && press(ctx, element, block, many ? picked() : made.value));
  made.read = () => {
    const values = picked();
    if (noun) return { type: element.type, [`selected_${noun}`]: many ? values : values[0] ?? null };
    if (many) return { type: element.type, selected_options: own.filter((each) => values.includes(each.value)) };
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
  const picked = () => element.options.filter((option, index) => boxes[index].checked);
  made.addEventListener("change", (event) => press(ctx, element, block, one ? event.target.value : picked().map((each) => each.value)));
  made.read = () => (one ? { type: element.type, selected_option: picked()[0] ?? null } : { type: element.type, selected_options: picked() });
  return made;
}

// A menu whose options the app is asked for: what is typed above it decides what it offers, beside what is chosen.
function asked(ctx, element, block, state) {
  const many = element.type.startsWith("multi_");
  const first = state ? (many ? state.selected_options : state.selected_option) : (many ? element.initial_options : element.initial_option);
  const known = new Map([first ?? []].flat().map((each) => [each.value, each]));
  const hint = element.placeholder?.text ?? "Type to search…";
  const list = h("select", { multiple: many, "aria-label": hint });
  const chosen = () => [...list.selectedOptions].map((each) => each.value).filter(Boolean);
  const offer = (options, picked) => {
    for (const each of options) known.set(each.value, each);
    const values = [...new Set([...picked, ...options.map((each) => each.value)])];
    list.replaceChildren(
      ...(many ? [] : [h("option", { value: "" }, options.length ? "Choose…" : "Nothing found yet")]),
      ...values.map((value) => h("option", { value, selected: picked.includes(value) }, known.get(value).text.text)),
    );
  };
  let turn = 0;
  const search = h("input", { type: "search", placeholder: hint, "aria-label": hint, autocomplete: "off", "data-key": `${block}/${element.action_id}` });
  search.addEventListener("input", async () => {
    const mine = (turn += 1); // an answer that comes after a later one is old
    if (search.value.length < (element.min_query_length ?? 3)) return;
    const options = await ctx.ask(element, block, search.value);
    if (mine === turn) offer(options, chosen());
  });
  list.addEventListener("change", () => press(ctx, element, block, many ? chosen() : list.value));
  offer([], [...known.keys()]);
  const made = h("div", { class: "asked", role: "group" }, search, list);
  made.read = () => {
    const picked = chosen().map((value) => known.get(value));
    return many ? { type: element.type, selected_options: picked } : { type: element.type, selected_option: picked[0] ?? null };
  };
  return made;
}

const FIELDS = {
  plain_text_input: "text", number_input: "number", email_text_input: "email", url_text_input: "url",
  datepicker: "date", timepicker: "time", datetimepicker: "datetime-local",
};
const TIMES = { datepicker: "date", timepicker: "time", datetimepicker: "date_time" };

// A moment as the browser's field has it, on this machine's clock, and as Slack has it, in seconds.
const local = (seconds) => new Date((seconds - new Date(seconds * 1000).getTimezoneOffset() * 60) * 1000).toISOString().slice(0, 16);
const moment = (text) => Math.floor(new Date(text).getTime() / 1000);

function picker(ctx, element, block, state) {
  const noun = TIMES[element.type];
  const exact = noun === "date_time";
  const before = state?.[`selected_${noun}`] ?? element[`initial_${noun}`];
  const value = before ? (exact ? local(before) : before) : "";
  const made = h("input", { type: FIELDS[element.type], value, "data-key": `${block}/${element.action_id}`, "aria-label": element.placeholder?.text ?? noun.replace("_", " and ") });
  const chosen = () => (!made.value ? null : exact ? moment(made.value) : made.value);
  made.addEventListener("change", () => made.value && press(ctx, element, block, String(chosen())));
  made.read = () => ({ type: element.type, [`selected_${noun}`]: chosen() });
  return made;
}

const flat = (rich) => (rich?.elements ?? []).map((part) => (part.elements ?? []).map((each) => each.text ?? "").join("")).join("\n");
const rich = (text) => ({ type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text }] }] });

function field(ctx, element, block, state) {
  const isRich = element.type === "rich_text_input";
  const before = isRich ? flat(state?.rich_text_value ?? element.initial_value) : (state?.value ?? element.initial_value ?? "");
  const named = { "data-key": `${block}/${element.action_id}`, "aria-label": element.placeholder?.text ?? "Text" };
  const more = { value: before, placeholder: element.placeholder?.text, minlength: element.min_length, maxlength: element.max_length, min: element.min_value, max: element.max_value, ...named };
  if (element.type === "number_input") more.step = element.is_decimal_allowed ? "any" : "1";
  const made = element.multiline || isRich
    ? h("textarea", { rows: 6, ...more })
    : h("input", { type: FIELDS[element.type] ?? "text", ...more });
  const when = element.dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];
  if (ctx.dispatch && when.includes("on_character_entered")) made.addEventListener("input", () => press(ctx, element, block, made.value));
  if (ctx.dispatch && when.includes("on_enter_pressed")) {
    made.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault(); // told to the app, instead of sending a form
      press(ctx, element, block, made.value);
    });
  }
  made.read = () => (isRich ? { type: element.type, rich_text_value: made.value ? rich(made.value) : null } : { type: element.type, value: made.value || null });
  return made;
}

// No file is taken here: the field says so.
function files(element, block) {
  const made = h("input", { type: "text", disabled: true, value: "Files cannot be sent here", "data-key": `${block}/${element.action_id}`, "aria-label": "Files" });
  made.read = () => ({ type: element.type, files: [] });
  return made;
}

export function image(element) {
  // Nothing is fetched from elsewhere, so a picture is shown by its words.
  return h("span", { class: "image", role: "img", "aria-label": element.alt_text || "image" }, icon("image"), element.alt_text || "image");
}

export function elementOf(ctx, element, block) {
  const made = make(ctx, element, block, ctx.values?.[block]?.[element.action_id]);
  if (made.read) ctx.fields?.set(`${block}/${element.action_id}`, { block, action: element.action_id, node: made });
  return made;
}

// What stands in all fields, as Slack's `state.values` has it.
export function valuesOf(fields) {
  const values = {};
  for (const { block, action, node } of fields.values()) (values[block] ??= {})[action] = node.read();
  return values;
}

function make(ctx, element, block, state) {
  const kind = element.type;
  if (kind === "button" || kind === "workflow_button") return button(ctx, element, block);
  if (kind === "overflow") return overflow(ctx, element, block);
  if (kind === "image") return image(element);
  if (kind === "checkboxes" || kind === "radio_buttons") return ticks(ctx, element, block, state);
  if (kind.endsWith("external_select")) return asked(ctx, element, block, state);
  if (kind.endsWith("_select")) return select(ctx, element, block, state);
  if (TIMES[kind]) return picker(ctx, element, block, state);
  if (kind === "file_input") return files(element, block);
  return field(ctx, element, block, state);
}
