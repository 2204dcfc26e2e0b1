// The three journeys as scripts: each step says what happens and does it, through the same control as every click here.

import { act, messages } from "./api.js";

const LOOK_EVERY = 150; // milliseconds
const PATIENCE = 20000;
const DAYS = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays"];

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

function buttonsOf(message) {
  const found = [];
  for (const block of message.blocks ?? []) {
    for (const each of [...(block.elements ?? []), block.accessory]) if (each?.type === "button") found.push({ ...each, block: block.block_id });
  }
  return found;
}

const labelled = (message, label) => buttonsOf(message).find((each) => each.text.text === label);

// What a script can do; it remembers where it is.
export class Hands {
  constructor(page) {
    this.page = page;
    this.store = page.store;
    this.round = Math.floor(Date.now() / 1000) % 600;
  }

  role(role, at = 0) {
    return this.store.actors().filter((each) => each.role === role)[at].id;
  }

  async until(what, work) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(LOOK_EVERY)) {
      const found = await work();
      if (found) return found;
    }
    throw new Error(`Waited in vain for ${what}. Does the bot run?`);
  }

  async newest(who, channel) {
    return (await messages(channel, who)).at(-1)?.ts ?? "0";
  }

  // Somebody says something to the bot; the page looks through their eyes and opens the thread once the bot answers.
  async ask(who, channel, text, thread = "") {
    await this.page.go(who, channel, thread);
    const direct = this.store.place(channel).kind === "im";
    const { ts } = await act("say", { user: who, channel, text: direct ? text : `<@${this.store.bot}> ${text}`, ...(thread ? { thread_ts: thread } : {}) });
    this.asked = ts;
    this.root = thread || ts;
    await this.answer(who, channel, this.root, ts);
    await this.page.go(who, channel, this.root);
  }

  async answer(who, channel, root, after) {
    return this.until("the bot’s answer", async () =>
      (await messages(channel, who, root)).find((each) => each.user === this.store.bot && each.ts > after),
    );
  }

  async card(who, channel, root, label) {
    return this.until(`the button ${label}`, async () => (await messages(channel, who, root)).findLast((each) => labelled(each, label)));
  }

  async press(who, channel, root, label) {
    const card = await this.card(who, channel, root, label);
    await this.page.go(who, channel, root);
    await pause(this.page.unhurried ? 700 : 0);
    await this.pressAgain(who, channel, card, label);
    return card;
  }

  // Presses a button as it was seen once, whatever became of it since: a window that is behind.
  async pressAgain(who, channel, card, label) {
    const button = labelled(card, label);
    await act("click", { user: who, channel, ts: card.ts, action_id: button.action_id, block_id: button.block, value: button.value });
  }

  async closed(who, channel, root, card) {
    return this.until("the record", async () => (await messages(channel, who, root)).find((each) => each.ts === card.ts && !buttonsOf(each).length));
  }
}

const memoize = {
  id: "memoize",
  name: "Memoize in a channel",
  what: "The bot’s own note: no card, nobody is asked.",
  steps: [
    ["Ada asks the bot in #deploys to remember a build.", (x) => x.ask(x.role("member"), x.store.named("deploys").id, `remember that build ${2301 + x.round} is the rollback target`)],
    ["Ben asks in #ops: the bot recalls it, and says who told it.", (x) => x.ask(x.role("member", 1), x.store.named("ops").id, "what do we know about the rollback target?")],
  ],
  end: "It landed in the bot’s own mind; no other agent finds it.",
};

const oneOnOne = {
  id: "1on1",
  name: "/1on1: a private session",
  what: "Found again by that person, and nobody else.",
  steps: [
    ["Ada types /1on1; the bot opens a private thread and saves to her own slice.", async (x) => {
      const ada = x.role("member");
      const own = x.store.direct(ada).id;
      const before = await x.newest(ada, own);
      await x.page.go(ada, x.store.named("ops").id, "");
      await act("command", { user: ada, channel: x.store.named("ops").id, command: "/1on1", text: `remember that my review is on Thursday in room ${x.round}` });
      const root = await x.until("the private session", async () => (await messages(own, ada)).find((each) => each.ts > before && each.user === x.store.bot));
      Object.assign(x, { own, session: root.ts });
      await x.page.go(ada, own, root.ts);
      await x.until("the note", async () => (await messages(own, ada, root.ts)).find((each) => JSON.stringify(each).includes("user-")));
    }],
    ["In her session Ada finds it again.", (x) => x.ask(x.role("member"), x.own, "recall review", x.session)],
    ["Ben asks the bot the same: nothing. Not even a manager finds it.", (x) => x.ask(x.role("member", 1), x.store.direct(x.role("member", 1)).id, "recall review")],
    ["Ada asks to share something from the session: she alone sees the draft, word for word.", async (x) => {
      const ada = x.role("member");
      await x.page.go(ada, x.own, x.session);
      await act("say", { user: ada, channel: x.own, thread_ts: x.session, text: `share with the team: the on-call phone is in cabinet ${x.round}` });
      await x.card(ada, x.own, x.session, "Keep private");
    }],
    ["She keeps it private: it goes nowhere.", async (x) => x.closed(x.role("member"), x.own, x.session, await x.press(x.role("member"), x.own, x.session, "Keep private"))],
  ],
  end: "It landed in Ada’s corner; even this page shows no word of it.",
};

const share = {
  id: "share",
  name: "Share, deliberately",
  what: "Nothing is everybody’s without a person’s yes.",
  steps: [
    ["Ada asks to share a fact; the bot posts a card with the exact words.", async (x) => {
      const ada = x.role("member");
      x.ops = x.store.named("ops").id;
      await x.page.go(ada, x.ops, "");
      const { ts } = await act("say", { user: ada, channel: x.ops, text: `<@${x.store.bot}> share with the team: the on-call rotation moved to ${DAYS[x.round % 5]}` });
      x.root = ts;
      await x.card(ada, x.ops, ts, "Approve");
      await x.page.go(ada, x.ops, ts);
    }],
    ["Ben, a member, presses Approve: he is told privately who may decide.", async (x) => {
      const ben = x.role("member", 1);
      const before = Date.now() / 1000 - 1;
      await x.press(ben, x.ops, x.root, "Approve");
      await x.until("the refusal", async () =>
        [...(await messages(x.ops, ben, x.root)), ...(await messages(x.ops, ben))].find((each) => each.is_ephemeral && Number(each.ts) > before),
      );
    }],
    ["Mia, a manager, presses Approve: the page is written with her yes, the card becomes a record.", async (x) => {
      const mia = x.role("manager");
      await x.closed(mia, x.ops, x.root, await x.press(mia, x.ops, x.root, "Approve"));
    }],
    ["Now everybody’s agents find it, signed by author and approver.", (x) => x.ask(x.role("member", 1), x.store.named("deploys").id, "what do we know about the on-call rotation?")],
  ],
  end: "It landed in the team’s knowledge base, under Mia’s yes.",
};

export const JOURNEYS = [memoize, oneOnOne, share];
