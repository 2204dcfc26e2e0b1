// Slack's text on the wire, made readable: marks, mentions, channels, dates, links, quotes, lists.

import { h } from "./dom.js";

const TOKEN = /<([^<>]+)>|`([^`\n]+)`|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])|(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])|:([a-z0-9_+-]+):/g;
const EMOJI = {
  white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", no_entry: "⛔", warning: "⚠️", lock: "🔒", eyes: "👀",
  bulb: "💡", memo: "📝", tada: "🎉", hourglass: "⌛", "+1": "👍", wave: "👋", information_source: "ℹ️", bell: "🔔",
};

export const plain = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
export const wired = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function link(url, label) {
  if (!/^(https?|mailto):/i.test(url)) return label || url; // never a script's address
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, label || url);
}

export function mention(store, id) {
  const person = store.person(id);
  return h("span", { class: id === store.me ? "mention mine" : "mention" }, `@${person?.name ?? id}`);
}

export function place(store, id, label) {
  const known = store.places().find((each) => each.id === id);
  if (!known) return h("span", { class: "mention" }, `#${label || "private"}`);
  return h("a", { class: "mention", href: "#", "data-go": id }, store.titleOf(known));
}

export function date(seconds, format, fallback) {
  const at = new Date(Number(seconds) * 1000);
  if (Number.isNaN(at.valueOf())) return fallback;
  const day = at.toLocaleDateString([], { year: "numeric", month: "short", day: "numeric" });
  const hour = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const words = format.replace(/\{date[a-z_]*\}/g, day).replace(/\{time[a-z_]*\}/g, hour);
  return h("time", { datetime: at.toISOString() }, words);
}

function token(store, inside) {
  const [said, label] = inside.split(/\|(.*)/s);
  if (said.startsWith("@")) return mention(store, said.slice(1));
  if (said.startsWith("#")) return place(store, said.slice(1), label && plain(label));
  if (said.startsWith("!date^")) {
    const [, seconds, format] = said.split("^");
    return date(seconds, plain(format ?? "{date} {time}"), plain(label ?? seconds));
  }
  if (said.startsWith("!")) return h("span", { class: "mention" }, `@${said.slice(1).split("^")[0]}`);
  return link(plain(said), label && plain(label));
}

export function inline(store, text) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) found.push(plain(text.slice(at, match.index)));
    const [all, inside, code, bold, italic, struck, emoji] = match;
    if (inside !== undefined) found.push(token(store, inside));
    else if (code !== undefined) found.push(h("code", {}, plain(code)));
    else if (bold !== undefined) found.push(h("strong", {}, inline(store, bold)));
    else if (italic !== undefined) found.push(h("em", {}, inline(store, italic)));
    else if (struck !== undefined) found.push(h("s", {}, inline(store, struck)));
    else found.push(EMOJI[emoji] ?? all);
    at = match.index + all.length;
  }
  if (at < text.length) found.push(plain(text.slice(at)));
  return found;
}

// Lines that belong together become one quote, one list, or one paragraph.
export function mrkdwn(store, text) {
  const made = [];
  text.split("```").forEach((part, index) => {
    if (index % 2) made.push(h("pre", {}, plain(part.replace(/^\n|\n$/g, ""))));
    else made.push(...lines(store, part));
  });
  return made;
}

const kindOf = (line) => (/^(&gt;|>)/.test(line) ? "quote" : /^\s*[•◦-] /.test(line) ? "list" : "text");

function lines(store, text) {
  const groups = [];
  for (const line of text.split("\n")) {
    const kind = kindOf(line);
    if (groups.at(-1)?.kind === kind) groups.at(-1).lines.push(line);
    else groups.push({ kind, lines: [line] });
  }
  return groups.filter((group) => group.lines.some((line) => line.trim())).map((group) => {
    if (group.kind === "list") {
      return h("ul", {}, group.lines.map((line) => h("li", {}, inline(store, line.replace(/^\s*[•◦-] /, "")))));
    }
    const quoted = group.kind === "quote";
    const said = group.lines.map((line) => (quoted ? line.replace(/^(&gt;|>)+ ?/, "") : line)).join("\n");
    return h(quoted ? "blockquote" : "div", { class: "lines" }, inline(store, said.replace(/^\n+|\n+$/g, "")));
  });
}

// A text object of Block Kit.
export function textOf(store, object) {
  if (!object) return [];
  return object.type === "mrkdwn" ? mrkdwn(store, object.text) : [object.emoji === false ? object.text : emojis(object.text)];
}

const emojis = (text) => text.replace(/:([a-z0-9_+-]+):/g, (all, name) => EMOJI[name] ?? all);

// What a person typed, as it goes over the wire: names become mentions, the rest is escaped.
export function typed(store, text) {
  return wired(text)
    .replace(/(^|[^\w@])@([\w.-]*\w)/g, (all, before, name) => {
      const person = store.state.users.find((each) => each.name.toLowerCase() === name.toLowerCase());
      return person ? `${before}<@${person.id}>` : all;
    })
    .replace(/(^|[\s(])#([\w-]+)/g, (all, before, name) => {
      const found = store.places().find((each) => each.name === name);
      return found ? `${before}<#${found.id}|${found.name}>` : all;
    });
}

// Wire text as it would be typed, for editing.
export function retyped(store, text) {
  const said = text.replace(/<([@#])([^|>]+)(?:\|([^>]*))?>/g, (all, mark, id, label) => {
    const name = mark === "@" ? store.person(id)?.name : store.place(id)?.name || label;
    return name ? `${mark}${name}` : all;
  });
  return plain(said);
}
