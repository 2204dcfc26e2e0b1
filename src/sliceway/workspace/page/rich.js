// The `rich_text` block: sections, quotes, lists, preformatted text.

import { h } from "./dom.js";
import { date, link, mention, place } from "./text.js";

function styled(node, style = {}) {
  let made = node;
  if (style.code) made = h("code", {}, made);
  if (style.bold) made = h("strong", {}, made);
  if (style.italic) made = h("em", {}, made);
  if (style.strike) made = h("s", {}, made);
  return made;
}

function piece(store, element) {
  switch (element.type) {
    case "text":
      return element.text;
    case "user":
      return mention(store, element.user_id);
    case "channel":
      return place(store, element.channel_id);
    case "link":
      return link(element.url, element.text);
    case "broadcast":
      return h("span", { class: "mention" }, `@${element.range}`);
    case "date":
      return date(element.timestamp, element.format ?? "{date}", element.fallback ?? "");
    case "emoji":
      return element.unicode ? String.fromCodePoint(...element.unicode.split("-").map((code) => parseInt(code, 16))) : `:${element.name}:`;
    default:
      return element.text ?? "";
  }
}

const pieces = (store, elements) => elements.map((element) => styled(piece(store, element), element.style));

function part(store, element) {
  switch (element.type) {
    case "rich_text_quote":
      return h("blockquote", { class: "lines" }, pieces(store, element.elements));
    case "rich_text_preformatted":
      return h("pre", {}, pieces(store, element.elements));
    case "rich_text_list":
      return h(
        element.style === "ordered" ? "ol" : "ul",
        { class: `indent-${Math.min(element.indent ?? 0, 4)}` },
        element.elements.map((item) => h("li", {}, pieces(store, item.elements ?? []))),
      );
    default:
      return h("div", { class: "lines" }, pieces(store, element.elements ?? []));
  }
}

export const richText = (store, block) => block.elements.map((element) => part(store, element));
