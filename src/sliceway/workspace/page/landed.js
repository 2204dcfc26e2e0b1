// "Where it landed": the slices with what is in them, and the record growing, newest first.

import { announce, h } from "./dom.js";
import { icon } from "./icons.js";

const ACTS = {
  "page.written": "Saved", "page.deleted": "Deleted", "page.restored": "Restored", "page.undone": "Undone",
  "proposal.asked": "Asked for a yes", "proposal.approve": "Approved", "proposal.deny": "Denied",
  "proposal.drafted": "Drafted, shown to its owner alone", "proposal.send": "Draft sent to the approvers",
  "proposal.withdraw": "Kept private", "proposal.expire": "Expired", "proposal.supersede": "Overtaken by a newer text",
  "grant.given": "Standing yes given", "grant.ended": "Standing yes ended",
  refused: "Refused", "refused.in_gateway": "Refused", "agent.registered": "Agent registered", "agent.changed": "Agent changed",
  "policy.changed": "Policy set", "channel.trust": "Trust of a channel set", "channel.seen": "Outsiders seen in a channel",
  "person.seen": "Somebody left or came back", "token.created": "Token made", "token.rotated": "Token renewed",
  "token.revoked": "Token ended",
};
const ORDER = ["agent", "user", "shared", "public"];
const EMPTY = [
  { kind: "agent", name: "The bot’s own mind", readers: "that agent only, in trusted channels and in members' private sessions" },
  { kind: "user", name: "A person’s private corner", readers: "that person only, in their own private sessions" },
  { kind: "shared", name: "The team’s knowledge base", readers: "every agent; written after an approver’s yes" },
];
const SHOWN = 60;
const ENTRIES = 4; // of a slice, the newest

const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

export class Landed {
  constructor(page, { slices, ledger, count }) {
    Object.assign(this, { page, slices, ledger, count });
    this.seen = new Map();
    this.acts = new Map();
    this.draw();
  }

  // What people call somebody, where only their handle is on record.
  called(name) {
    const person = name && this.page.store.state?.users.find((each) => each.name === name);
    return person ? this.page.store.nameOf(person).split(" ")[0] : name;
  }

  nameOf(slice) {
    if (slice.kind === "agent") return `${this.called(slice.owner) || "An agent"}’s own mind`;
    if (slice.kind === "user") return `${this.called(slice.owner) || "A person"}’s private corner`;
    return { shared: "The team’s knowledge base", public: "What anyone may read" }[slice.kind] ?? slice.title;
  }

  draw() {
    const landings = this.page.store.landings;
    const there = landings?.slices ?? [];
    const missing = EMPTY.filter((each) => !there.some((slice) => slice.kind === each.kind));
    const rows = [
      ...there.filter((each) => each.kind !== "system").map((each) => ({ ...each, name: this.nameOf(each) })),
      ...missing.map((each) => ({ ...each, slice: "", pages: 0, entries: [] })),
    ].sort((one, two) => ORDER.indexOf(one.kind) - ORDER.indexOf(two.kind));
    this.slices.replaceChildren(...rows.map((row) => this.card(row, landings !== null)));
    for (const row of rows) this.seen.set(row.slice, row.pages);
    this.record(landings?.acts ?? []);
    this.first = landings === null;
  }

  card(row, live) {
    const grew = live && !this.first && row.slice && row.pages > (this.seen.get(row.slice) ?? 0);
    if (grew) announce(`A memory landed in ${row.name}.`);
    const shown = (row.entries ?? []).slice(0, ENTRIES);
    const more = shown.length && row.pages > shown.length ? h("li", {}, h("small", {}, `and ${row.pages - shown.length} more`)) : null;
    const entries = shown.map((entry) =>
      h(
        "li",
        {},
        h("span", { class: "entry" }, entry.title),
        h("small", {}, `by ${this.called(entry.by)}${entry.for ? ` for ${this.called(entry.for)}` : ""}${entry.yes ? `, approved by ${this.called(entry.yes)}` : ""}${entry.version > 1 ? ` · version ${entry.version}` : ""}`),
      ),
    );
    const waiting = row.waiting ? h("span", { class: "waiting" }, `${row.waiting} ${row.waiting === 1 ? "waits" : "wait"} for a yes`) : null;
    const hidden = row.kind === "user" && row.pages ? h("li", {}, h("small", {}, "Content hidden: not even the operator reads it.")) : null;
    return h(
      "li",
      { class: `slice kind-${row.kind}${row.pages ? "" : " empty"}${grew ? " grew" : ""}` },
      h("div", { class: "slice-head" }, icon(ORDER.includes(row.kind) ? row.kind : "kb"), h("strong", {}, row.name), h("span", { class: "badge", "aria-label": `${row.pages} memories` }, String(row.pages))),
      h("small", { class: "readers" }, `Read by ${row.readers}`),
      waiting,
      row.slice ? h("code", { class: "name", title: row.slice }, row.slice) : null,
      entries.length || hidden ? h("ul", { class: "entries" }, entries, more, hidden) : null,
    );
  }

  record(acts) {
    this.count.textContent = acts.length ? String(this.page.store.landings.events ?? acts.length) : "";
    const shown = acts.slice(0, SHOWN);
    const fresh = this.acts.size > 0;
    const keep = new Set(shown.map((each) => each.id));
    for (const [id, row] of this.acts) if (!keep.has(id)) { row.remove(); this.acts.delete(id); }
    this.ledger.querySelector(".none")?.remove();
    let before = null;
    for (const entry of shown) {
      let row = this.acts.get(entry.id);
      if (!row) {
        row = this.act(entry, fresh);
        this.acts.set(entry.id, row);
      }
      const next = before ? before.nextSibling : this.ledger.firstChild;
      if (next !== row) this.ledger.insertBefore(row, next);
      before = row;
    }
    if (!shown.length) this.ledger.replaceChildren(h("li", { class: "soft none" }, "Nothing was recorded yet. Say something worth remembering."));
  }

  act(entry, fresh) {
    const where = this.nameOf(entry);
    const persons = /^(proposal\.(approve|deny)|refused)/.test(entry.act); // what a person did, not the agent for them
    const by = this.called(entry.by) ?? "";
    const whom = this.called(entry.for);
    const who = persons && whom ? whom : by === whom || !whom ? by : `${by} for ${whom}`;
    const detail = [entry.yes && entry.act === "page.written" ? `under ${this.called(entry.yes)}’s yes` : "", (entry.why ?? "").replace(/^\w+ of [0-9A-Z]{26}: /, "")].filter(Boolean).join("; ");
    return h(
      "li",
      { class: `act ${entry.act.split(".")[0]}${fresh ? " fresh" : ""}` },
      h("time", { datetime: entry.at }, clock(entry.at)),
      h(
        "div",
        {},
        h("strong", {}, ACTS[entry.act] ?? entry.act),
        entry.kind === "system" ? "" : ` → ${where}`,
        h("small", {}, [who && `by ${who}`, detail].filter(Boolean).join(" · ")),
      ),
    );
  }
}
