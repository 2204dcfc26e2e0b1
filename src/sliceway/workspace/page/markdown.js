// The `markdown` block: the Markdown that language models write. Block by block, then what stands inside a line.

import { h } from "./dom.js";
import { link, mention, place, plain } from "./text.js";

const INSIDE = /`([^`\n]+)`|\[([^\]\n]+)\]\(([^()\s]+)\)|\*\*(\S(?:[^\n]*?\S)?)\*\*|__(\S(?:[^\n]*?\S)?)__|\*(\S(?:[^*\n]*\S)?)\*|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)|~~(\S(?:[^\n]*?\S)?)~~|<@([UW]\w+)>|<#(C\w+)(?:\|([^>]*))?>/g;

function inside(store, text) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(INSIDE)) {
    if (match.index > at) found.push(plain(text.slice(at, match.index)));
    const [all, code, label, url, bold, heavy, italic, slanted, struck, user, channel, name] = match;
    if (code !== undefined) found.push(h("code", {}, plain(code)));
    else if (url !== undefined) found.push(link(plain(url), plain(label)));
    else if (bold ?? heavy) found.push(h("strong", {}, inside(store, bold ?? heavy)));
    else if (italic ?? slanted) found.push(h("em", {}, inside(store, italic ?? slanted)));
    else if (struck !== undefined) found.push(h("s", {}, inside(store, struck)));
    else if (user !== undefined) found.push(mention(store, user));
    else found.push(place(store, channel, name && plain(name)));
    at = match.index + all.length;
  }
  if (at < text.length) found.push(plain(text.slice(at)));
  return found;
}

const KINDS = [
  ["rule", /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/],
  ["heading", /^ {0,3}#{1,6}\s+(.*?)\s*#*$/],
  ["quote", /^ {0,3}(?:>|&gt;) ?(.*)$/],
  ["bullet", /^\s*[-*+]\s+(.*)$/],
  ["number", /^\s*\d+[.)]\s+(.*)$/],
  ["row", /^\s*\|(.*)\|\s*$/],
];

function kindOf(line) {
  for (const [kind, form] of KINDS) {
    const match = form.exec(line);
    if (match) return [kind, match[1]];
  }
  return [line.trim() ? "text" : "gap", line];
}

const cells = (store, row, tag) => h("tr", {}, row.split("|").map((each) => h(tag, {}, inside(store, each.trim()))));

function drawn(store, { kind, lines }) {
  const items = () => lines.map((line) => h("li", {}, inside(store, line)));
  switch (kind) {
    case "code":
      return h("pre", {}, plain(lines.join("\n")));
    case "rule":
      return h("hr", {});
    case "heading":
      return lines.map((line) => h("h4", {}, inside(store, line)));
    case "quote":
      return h("blockquote", { class: "lines" }, inside(store, lines.join("\n")));
    case "bullet":
      return h("ul", {}, items());
    case "number":
      return h("ol", {}, items());
    case "row": {
      const [head, ...rows] = lines.filter((line) => !/^[\s|:-]+$/.test(line));
      return h("table", {}, h("thead", {}, cells(store, head ?? "", "th")), h("tbody", {}, rows.map((row) => cells(store, row, "td"))));
    }
    default:
      return h("div", { class: "lines" }, inside(store, lines.join("\n")));
  }
}

export function markdown(store, text) {
  const groups = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    const fence = /^\s*```/.test(line);
    if (fence) fenced = !fenced;
    if (fence && fenced) groups.push({ kind: "code", lines: [] });
    else if (fenced) groups.at(-1).lines.push(line);
    else if (fence) groups.push({ kind: "gap", lines: [] });
    else {
      const [kind, words] = kindOf(line);
      if (groups.at(-1)?.kind === kind && kind !== "code") groups.at(-1).lines.push(words);
      else groups.push({ kind, lines: [words] });
    }
  }
  return groups.filter((group) => group.kind !== "gap").map((group) => drawn(store, group));
}
