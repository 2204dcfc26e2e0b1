// One message as a row: who, when, what, and what one may do with it.

import { act, asked } from "./api.js";
import { blocksOf } from "./blocks.js";
import { avatar, h, time } from "./dom.js";
import { valuesOf } from "./elements.js";
import { icon } from "./icons.js";
import { mrkdwn, retyped, typed } from "./text.js";

const ROLES = { guest: "guest", stranger: "other company", manager: "manager", bot: "app" };

export function bodyOf(page, channel, message) {
  const { store } = page;
  const name = `${store.me}/${channel}/${message.ts}`; // what one chose stays when the message is drawn anew
  const fields = new Map();
  const press = (element, block, value) => {
    const values = valuesOf(fields);
    if (fields.size) store.chosen.set(name, values);
    const what = { action_id: element.action_id, block_id: block, ...(value === undefined ? {} : { value }), ...(fields.size ? { values } : {}) };
    return page.try(() => act("click", { user: store.me, channel, ts: message.ts, ...what }));
  };
  const ask = (...what) => asked(page, { channel, ts: message.ts }, ...what);
  const ctx = { store, fields, values: store.chosen.get(name), press, ask };
  const cards = (message.attachments ?? []).map((each) =>
    h("div", { class: "attachment" }, each.blocks ? blocksOf(ctx, each.blocks) : mrkdwn(store, each.text ?? each.fallback ?? "")),
  );
  if (message.subtype === "tombstone") return [h("em", { class: "soft" }, "This message was deleted.")];
  return [message.blocks?.length ? blocksOf(ctx, message.blocks) : mrkdwn(store, message.text ?? ""), cards];
}

function editor(page, channel, message, row) {
  const box = h("textarea", { rows: 3, "aria-label": "Edit the message", value: retyped(page.store, message.text) });
  const back = () => {
    form.replaceWith(body);
    row.querySelector("[data-key=edit]")?.focus();
  };
  const save = () =>
    page.try(() => act("edit", { user: page.store.me, channel, ts: message.ts, text: typed(page.store, box.value) })).then((done) => done && back());
  const form = h(
    "div",
    { class: "editing" },
    box,
    h("div", { class: "actions" }, h("button", { type: "button", onclick: back }, "Cancel"), h("button", { type: "button", class: "primary", onclick: save }, "Save")),
  );
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { event.stopPropagation(); back(); }
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); save(); }
  });
  const body = row.querySelector(".body");
  body.replaceWith(form);
  box.focus();
}

function tools(page, channel, message, inThread, row) {
  const { store } = page;
  const own = message.user === store.me && !message.is_ephemeral && message.subtype !== "tombstone";
  const made = [];
  if (!inThread && !message.is_ephemeral) {
    made.push(h("button", { type: "button", "data-key": "reply", onclick: () => page.openThread(message.ts, true) }, "Reply"));
  }
  if (own) {
    const remove = () => page.try(() => act("delete", { user: store.me, channel, ts: message.ts }));
    made.push(h("button", { type: "button", "data-key": "edit", onclick: () => editor(page, channel, message, row) }, "Edit"));
    made.push(h("button", { type: "button", "data-key": "delete", onclick: remove }, "Delete"));
  }
  return made.length ? h("div", { class: "tools", role: "group", "aria-label": "For this message" }, made) : null;
}

export function messageRow(page, channel, message, { inThread }) {
  const { store } = page;
  const who = store.person(message.user);
  const name = store.nameOf(who);
  const role = ROLES[who?.role];
  const row = h("li", { class: `message${message.is_ephemeral ? " private" : ""}`, "data-ts": message.ts });
  row.append(
    avatar(who),
    h(
      "div",
      { class: "content" },
      message.is_ephemeral ? h("div", { class: "only-you" }, icon("eye"), "Only you can see this") : null,
      h(
        "div",
        { class: "head" },
        h("strong", {}, name),
        role ? h("span", { class: `role ${who.role}` }, role) : null,
        h("time", { datetime: new Date(message.ts * 1000).toISOString() }, time(message.ts)),
        message.edited ? h("span", { class: "soft" }, "(edited)") : null,
      ),
      h("div", { class: "body" }, bodyOf(page, channel, message)),
      !inThread && message.reply_count
        ? h(
            "button",
            { type: "button", class: "replies", "data-key": "replies", onclick: () => page.openThread(message.ts, true) },
            `${message.reply_count} ${message.reply_count === 1 ? "reply" : "replies"}`,
          )
        : null,
      h("div", { class: "marks" }, (message.reactions ?? []).map((each) => h("span", { class: "mark" }, `:${each.name}: ${each.count}`))),
    ),
  );
  const more = tools(page, channel, message, inThread, row);
  if (more) row.append(more);
  return row;
}

// The words of a message for somebody who listens.
export function spoken(page, message) {
  const said = h("div", {}, bodyOf(page, "", message)).textContent.trim();
  return `${page.store.nameOf(page.store.person(message.user))}: ${said.slice(0, 240)}`;
}
