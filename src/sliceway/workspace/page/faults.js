// The fault switchboard: bad days of the network, switched on and off, for everything or for one call or delivery.

import { act } from "./api.js";
import { h } from "./dom.js";

const POST = "chat.postMessage";
const SWITCHES = [
  { id: "drop", name: "Drop a reply", help: "The bot’s next post arrives, its answer is lost: the post must not come twice.", plan: { match: { method: POST, nth: 1 }, do: "drop_reply" } },
  { id: "delay", name: "Slow network", help: "Each of the bot’s posts takes two seconds longer.", plan: { match: { method: POST }, do: "delay", seconds: 2 } },
  { id: "limit", name: "429: too many requests", help: "The bot’s next post is told to come back in a second.", plan: { match: { method: POST, nth: 1 }, do: "rate_limit", retry_after: 1 } },
  { id: "twice", name: "Deliver everything twice", help: "The bot hears each event two times and must act once.", plan: { match: {}, do: "duplicate" } },
];

const METHODS = [
  POST, "chat.postEphemeral", "chat.update", "views.open", "views.publish", "conversations.history", "conversations.replies",
  "conversations.info", "conversations.open", "users.info", "auth.test",
];
const EVENTS = [
  ["message", "a message"], ["app_mention", "a mention"], ["interactive", "a button or a form"], ["command", "a slash command"],
  ["app_home_opened", "an opened Home"], ["member_joined_channel", "somebody joining"], ["user_change", "a changed person"],
];
// What may go wrong with what: calls of the bot, or deliveries to it.
const DEEDS = [
  { id: "drop_reply", name: "The answer is lost", calls: true, events: true },
  { id: "error", name: "Refused: internal_error", calls: true, more: { error: "internal_error" } },
  { id: "delay", name: "Two seconds later", calls: true, events: true, more: { seconds: 2 } },
  { id: "rate_limit", name: "429: come back in a second", calls: true, more: { retry_after: 1 } },
  { id: "duplicate", name: "Delivered twice", events: true },
  { id: "reorder", name: "Delivered after the next one", events: true },
  { id: "disconnect", name: "The socket closes behind it", events: true },
];

const KEYS = ["do", "error", "seconds"];
const same = (one, two) =>
  ["method", "event", "nth"].every((key) => one.match[key] === two.match[key]) && KEYS.every((key) => one[key] === two[key]);
const eventName = (id) => EVENTS.find(([event]) => event === id)?.[1] ?? id;

function words(fault) {
  const { method, event, nth } = fault.match;
  const deed = DEEDS.find((each) => each.id === fault.do)?.name ?? fault.do;
  const what = method ?? (event ? eventName(event) : "everything");
  return `${deed}: ${what}${nth ? (nth === 1 ? ", the next time" : `, time ${nth}`) : ""}`;
}

export class Faults {
  constructor(page, node) {
    this.page = page;
    this.plan = [];
    this.boxes = SWITCHES.map((each) =>
      h("input", { type: "checkbox", role: "switch", id: `fault-${each.id}`, "aria-describedby": `fault-${each.id}-help`, onchange: (event) => this.toggle(each.plan, event.target.checked) }),
    );
    this.deed = h("select", { id: "fault-do", onchange: () => this.offer() }, DEEDS.map((each) => h("option", { value: each.id }, each.name)));
    this.target = h("select", { id: "fault-at" });
    this.when = h("select", { id: "fault-when" }, h("option", { value: "1" }, "the next time"), h("option", { value: "" }, "each time"));
    this.force = h("ul", { class: "force", "aria-label": "Faults in force" });
    node.replaceChildren(
      ...SWITCHES.map((each, index) =>
        h("div", { class: "fault" }, h("label", { for: `fault-${each.id}` }, this.boxes[index], each.name), h("small", { id: `fault-${each.id}-help` }, each.help)),
      ),
      h(
        "form",
        { class: "own-fault", "aria-label": "A fault of your own", onsubmit: (event) => { event.preventDefault(); this.add(); } },
        h("h3", {}, "One of your own"),
        h("label", { for: "fault-do" }, "What"), this.deed,
        h("label", { for: "fault-at" }, "To"), this.target,
        h("label", { for: "fault-when" }, "When"), this.when,
        h("button", { type: "submit" }, "Add this fault"),
      ),
      this.force,
      h("button", { type: "button", onclick: () => this.send([]) }, "All well again"),
    );
    this.offer();
  }

  // Offers what the chosen deed can happen to.
  offer() {
    const deed = DEEDS.find((each) => each.id === this.deed.value);
    const calls = METHODS.map((each) => h("option", { value: `method ${each}` }, each));
    const events = EVENTS.map(([id, name]) => h("option", { value: `event ${id}` }, name));
    this.target.replaceChildren(
      ...(deed.calls ? [h("optgroup", { label: "Calls of the bot" }, calls)] : []),
      ...(deed.events ? [h("optgroup", { label: "Deliveries to the bot" }, events)] : []),
    );
  }

  add() {
    const deed = DEEDS.find((each) => each.id === this.deed.value);
    const [side, name] = this.target.value.split(" ");
    return this.toggle({ match: { [side]: name, ...(this.when.value ? { nth: 1 } : {}) }, do: deed.id, ...deed.more }, true);
  }

  toggle(fault, on) {
    const others = this.plan.filter((each) => !same(each, fault));
    return this.send(on ? [...others, fault] : others);
  }

  send(plan) {
    return this.page.try(() => act("faults", { plan }));
  }

  show(faults) {
    this.plan = faults;
    SWITCHES.forEach((each, index) => {
      this.boxes[index].checked = faults.some((fault) => same(each.plan, fault));
    });
    const own = faults.filter((fault) => !SWITCHES.some((each) => same(each.plan, fault)));
    this.force.hidden = !own.length;
    this.force.replaceChildren(
      ...own.map((fault) =>
        h("li", {}, h("span", { class: "grow" }, words(fault)), h("button", { type: "button", class: "quiet", "aria-label": `Take away: ${words(fault)}`, onclick: () => this.toggle(fault, false) }, "✕")),
      ),
    );
  }
}
