// Where one types: messages, and slash commands as the first word.

import { act } from "./api.js";
import { h } from "./dom.js";
import { suggestions } from "./suggest.js";
import { typed } from "./text.js";

export function composer(page, { label, channel, thread, hints }) {
  const { store } = page;
  const box = h("textarea", { rows: 1, "aria-label": label, placeholder: label, "data-key": "composer", maxlength: 12000 });
  const grow = () => {
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight + 2, 180)}px`;
  };
  const send = async () => {
    const text = box.value.trim();
    if (!text || box.readOnly) return;
    box.readOnly = true;
    const done = await page.try(() => (text.startsWith("/") ? command(text) : say(text)));
    box.readOnly = false;
    if (done) box.value = "";
    grow();
    box.focus();
  };
  const say = (text) => act("say", { user: store.me, channel: channel(), text: typed(store, text), ...(thread() ? { thread_ts: thread() } : {}) });
  // Of Slack's own commands this page knows the one that a bot cannot do for itself.
  const invite = async (rest) => {
    const people = rest.split(/\s+/).filter(Boolean).map((each) => store.state.users.find((user) => `@${user.name}` === each));
    if (!people.length || people.includes(undefined)) throw new Error("Name who comes in, as in /invite @sliceway.");
    return act("channel", { channel: channel(), invite: people.map((each) => each.id) });
  };
  const command = async (text) => {
    const [name, rest = ""] = text.split(/\s+(.*)/s);
    if (name === "/invite") return invite(rest);
    const outcome = await act("command", { user: store.me, channel: channel(), command: name, text: rest, ...(thread() ? { thread_ts: thread() } : {}) });
    if (!outcome.acked) throw new Error(outcome.detail ?? `${name} failed: the app did not answer.`);
    return outcome;
  };
  const suggested = suggestions(store, box); // first, so that it takes its keys before they send
  box.addEventListener("input", grow);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      send();
    }
  });
  const told = h("p", { class: "soft small told" });
  const chips = h("div", { class: "chips" });
  const form = h(
    "form",
    { class: "composer", onsubmit: (event) => { event.preventDefault(); send(); } },
    told,
    chips,
    suggested,
    h("div", { class: "line" }, box, h("button", { type: "submit", class: "primary" }, "Send")),
  );
  return {
    node: form,
    box,
    refresh(name, open = true, note = "") {
      box.setAttribute("aria-label", name);
      box.placeholder = name;
      box.disabled = !open;
      form.querySelector("button[type=submit]").disabled = !open;
      told.textContent = note;
      chips.replaceChildren(
        ...(open ? hints() : []).map(([label, hint]) =>
          h("button", { type: "button", onclick: () => { box.value = hint; grow(); box.focus(); } }, label),
        ),
      );
    },
    fill(text) {
      box.value = text;
      grow();
    },
  };
}
