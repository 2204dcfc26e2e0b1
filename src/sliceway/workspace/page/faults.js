// The fault switchboard: bad days of the network, switched on and off.

import { act } from "./api.js";
import { h } from "./dom.js";

const POST = "chat.postMessage";
const SWITCHES = [
  { id: "drop", name: "Drop a reply", help: "The bot’s next post arrives, its answer is lost: the post must not come twice.", plan: [{ match: { method: POST, nth: 1 }, do: "drop_reply" }] },
  { id: "delay", name: "Slow network", help: "Each of the bot’s posts takes two seconds longer.", plan: [{ match: { method: POST }, do: "delay", seconds: 2 }] },
  { id: "limit", name: "429: too many requests", help: "The bot’s next post is told to come back in a second.", plan: [{ match: { method: POST, nth: 1 }, do: "rate_limit", retry_after: 1 }] },
  { id: "twice", name: "Deliver everything twice", help: "The bot hears each event two times and must act once.", plan: [{ match: {}, do: "duplicate" }] },
];

const same = (one, two) => one.do === two.do;

export class Faults {
  constructor(page, node) {
    this.page = page;
    this.boxes = SWITCHES.map((each) => h("input", { type: "checkbox", role: "switch", id: `fault-${each.id}`, "aria-describedby": `fault-${each.id}-help`, onchange: () => this.send() }));
    node.replaceChildren(
      ...SWITCHES.map((each, index) =>
        h("div", { class: "fault" }, h("label", { for: `fault-${each.id}` }, this.boxes[index], each.name), h("small", { id: `fault-${each.id}-help` }, each.help)),
      ),
      h("button", { type: "button", onclick: () => { for (const box of this.boxes) box.checked = false; this.send(); } }, "All well again"),
    );
  }

  send() {
    const plan = SWITCHES.flatMap((each, index) => (this.boxes[index].checked ? each.plan : []));
    return this.page.try(() => act("faults", { plan }));
  }

  show(faults) {
    SWITCHES.forEach((each, index) => {
      this.boxes[index].checked = each.plan.every((wanted) => faults.some((fault) => same(wanted, fault)));
    });
  }
}
