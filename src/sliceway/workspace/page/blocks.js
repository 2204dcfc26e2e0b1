// Block Kit: one function a kind of block.

import { h } from "./dom.js";
import { elementOf, image } from "./elements.js";
import { markdown } from "./markdown.js";
import { richText } from "./rich.js";
import { textOf } from "./text.js";

function section(ctx, block) {
  return h(
    "div",
    { class: "block section" },
    h(
      "div",
      { class: "grow" },
      block.text ? textOf(ctx.store, block.text) : null,
      block.fields ? h("div", { class: "fields" }, block.fields.map((each) => h("div", {}, textOf(ctx.store, each)))) : null,
    ),
    block.accessory ? h("div", { class: "accessory" }, elementOf(ctx, block.accessory, block.block_id)) : null,
  );
}

function context(ctx, block) {
  const said = block.elements.map((each) => (each.type === "image" ? image(each) : h("span", {}, textOf(ctx.store, each))));
  return h("div", { class: "block context" }, said);
}

function input(ctx, block) {
  const { element } = block;
  const quiet = { ...ctx, dispatch: block.dispatch_action, press: block.dispatch_action ? ctx.press : async () => {} };
  const made = elementOf(quiet, element, block.block_id);
  const id = `in-${block.block_id}-${element.action_id}`;
  const [name, help, wrong] = [`${id}-name`, `${id}-help`, `${id}-wrong`];
  made.id = id;
  made.removeAttribute("aria-label");
  made.setAttribute("aria-labelledby", name);
  made.setAttribute("aria-describedby", `${help} ${wrong}`);
  if (!block.optional) made.setAttribute("aria-required", "true");
  ctx.inputs?.set(block.block_id, { action: element.action_id, node: made, optional: block.optional, wrong });
  return h(
    "div",
    { class: "block input" },
    h("label", { id: name, for: id }, textOf(ctx.store, block.label), block.optional ? h("small", {}, " (optional)") : null),
    made,
    h("small", { id: help, class: "hint" }, block.hint ? textOf(ctx.store, block.hint) : null),
    h("small", { id: wrong, class: "wrong", role: "alert" }),
  );
}

function blockOf(ctx, block) {
  switch (block.type) {
    case "header":
      return h("h3", { class: "block header" }, textOf(ctx.store, block.text));
    case "section":
      return section(ctx, block);
    case "context":
      return context(ctx, block);
    case "actions":
      return h("div", { class: "block actions" }, block.elements.map((each) => elementOf(ctx, each, block.block_id)));
    case "divider":
      return h("hr", {});
    case "input":
      return input(ctx, block);
    case "image":
      return h("div", { class: "block" }, image(block));
    case "markdown":
      return h("div", { class: "block markdown" }, markdown(ctx.store, block.text));
    case "rich_text":
      return h("div", { class: "block" }, richText(ctx.store, block));
    default:
      return h("div", { class: "block context" }, `(a ${block.type} block)`);
  }
}

export const blocksOf = (ctx, blocks) => (blocks ?? []).map((block) => blockOf(ctx, block));
