// Two hard questions as scripts, where somebody behind the page can ask another agent and kill the gateway.

import { act, messages } from "./api.js";

const titled = (name) => name.charAt(0).toUpperCase() + name.slice(1);
const known = (x, hit) => {
  const called = (name) => x.page.landed.called(name);
  return `“${hit.text}”, by ${called(hit.by)}${hit.for ? ` for ${called(hit.for)}` : ""}${hit.yes ? `, approved by ${called(hit.yes)}` : ""}`;
};

async function sharedBy(x, who, channel, text) {
  await x.page.go(who, channel, "");
  const { ts } = await act("say", { user: who, channel, text: `<@${x.store.bot}> share with the team: ${text}` });
  x.root = ts;
  x.shared = await x.card(who, channel, ts, "Approve");
  await x.page.go(who, channel, ts);
}

const apart = {
  id: "apart",
  name: "Another agent, same brain",
  what: "It finds what was shared, and nothing else.",
  keeps: true,
  steps: [
    ["Ada has the bot remember where the canary runs.", (x) => x.ask(x.role("member"), x.store.named("deploys").id, `remember that the canary runs on host-${x.round}`)],
    ["Scout, a coding agent on the same brain, asks for it.", async (x) => {
      const { agent, hits } = await act("ask_other", { query: `canary host-${x.round}` });
      if (hits.some((hit) => hit.text.includes(`host-${x.round}`))) throw new Error(`${agent} found what was not shared.`);
      return `${titled(agent)} finds nothing${hits.length ? " of it" : ""}.`;
    }],
    ["Ada shares it, and Mia approves.", async (x) => {
      const ops = x.store.named("ops").id;
      const mia = x.role("manager");
      await sharedBy(x, x.role("member"), ops, `the canary runs on host-${x.round}`);
      await x.closed(mia, ops, x.root, await x.press(mia, ops, x.root, "Approve"));
    }],
    ["Scout asks again.", async (x) => {
      const { agent, hits } = await act("ask_other", { query: `canary host-${x.round}` });
      const found = hits.find((hit) => hit.slice === "shared" && hit.text.includes(`host-${x.round}`));
      if (!found) throw new Error(`${agent} did not find what was shared.`);
      return `${titled(agent)} finds ${known(x, found)}.`;
    }],
  ],
  end: "Minds are apart; what a person approved is everybody’s.",
};

const crash = {
  id: "crash",
  name: "A crash before the click",
  what: "The gateway is killed between card and Approve.",
  keeps: true,
  steps: [
    ["Ada asks to share a fact; the card waits.", async (x) => {
      x.ops = x.store.named("ops").id;
      await sharedBy(x, x.role("member"), x.ops, `the door code is ${1000 + x.round}`);
    }],
    ["The gateway’s process is killed, and started again.", async () => {
      const { killed, started } = await act("crash", {});
      return `Process ${killed} is gone; ${started} works now.`;
    }],
    ["Mia presses Approve on the card from before: it is written, once.", async (x) => {
      const mia = x.role("manager");
      await x.closed(mia, x.ops, x.root, await x.press(mia, x.ops, x.root, "Approve"));
    }],
    ["Max’s window still shows the button; he presses it too.", async (x) => {
      const max = x.role("manager", 1);
      const before = Date.now() / 1000 - 1;
      await x.page.go(max, x.ops, x.root);
      await x.pressAgain(max, x.ops, x.shared, "Approve");
      const told = await x.until("what Max is told", async () =>
        [...(await messages(x.ops, max, x.root)), ...(await messages(x.ops, max))].find((each) => each.is_ephemeral && Number(each.ts) > before),
      );
      return `Max is told: ${told.text.split("\n")[0]}`;
    }],
  ],
  end: "One yes, one page, whatever died between.",
};

export const QUESTIONS = [apart, crash];
