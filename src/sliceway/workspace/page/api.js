// The way to the workspace: the control key, calls, and the live stream.

const KEPT = "sliceway.key";

// The key comes in the address's fragment, which no server sees; it is taken off the address at once and kept for this
// tab alone, so that a reload works and a bookmark or a screenshot gives nothing away.
function keyOfThisTab() {
  const said = new URLSearchParams(location.hash.slice(1));
  if (said.get("key")) {
    sessionStorage.setItem(KEPT, said.get("key"));
    said.delete("key");
    history.replaceState(null, "", location.pathname + (said.size ? `#${said}` : ""));
  }
  return sessionStorage.getItem(KEPT) ?? "";
}

let key = keyOfThisTab();

export const hasKey = () => key !== "";
export const linkToHere = () => `${location.origin}/#key=${key}`;

export function takeKey(offered) {
  // A pasted address is as good as the key in it.
  key = offered.includes("#") ? (new URLSearchParams(offered.split("#")[1]).get("key") ?? "") : offered.trim();
  sessionStorage.setItem(KEPT, key);
}

export class Refused extends Error {
  constructor(answer, status) {
    const fields = (answer.errors ?? []).map((each) => `${each.field}: ${each.detail}`).join("; ");
    super(fields || answer.detail || answer.error || `The workspace answered ${status}.`);
    this.status = status;
    this.code = answer.error;
  }
}

const headers = () => ({ "X-Workspace-Key": key });

async function answered(response) {
  const body = await response.json().catch(() => ({ ok: false }));
  if (!response.ok || body.ok === false) throw new Refused(body, response.status);
  return body;
}

export async function look(what, query = {}) {
  return answered(await fetch(`/_control/${what}?${new URLSearchParams(query)}`, { headers: headers() }));
}

// The options that the app offers for what was typed in a menu of its own.
export async function asked(page, where, element, block, value) {
  const found = await page.try(async () => {
    const said = await act("suggest", { ...where, user: page.store.me, action_id: element.action_id, block_id: block, value });
    if (said.error) throw new Refused({ detail: `The app offered nothing: ${said.detail ?? said.error}` });
    return said;
  });
  return found?.options ?? [];
}

export async function act(verb, body) {
  const more = { "Content-Type": "application/json" };
  return answered(
    await fetch(`/_control/${verb}`, { method: "POST", headers: { ...headers(), ...more }, body: JSON.stringify(body) }),
  );
}

export const messages = async (channel, viewer, thread) =>
  (await look("messages", { channel, as: viewer, ...(thread ? { thread_ts: thread } : {}) })).messages;

// Calls `onBatch` with each event as one person sees it; comes back by itself after a loss. Returns how to end it.
export function listen(viewer, { onOpen, onBatch, onLost }) {
  const ended = new AbortController();
  (async () => {
    for (let pause = 250; !ended.signal.aborted; pause = Math.min(pause * 2, 4000)) {
      try {
        const query = new URLSearchParams({ as: viewer });
        const response = await fetch(`/_control/stream?${query}`, { headers: headers(), signal: ended.signal });
        if (!response.ok) throw new Refused({}, response.status);
        pause = 250;
        onOpen();
        await readEvents(response.body, (data) => {
          if (!ended.signal.aborted) onBatch(JSON.parse(data));
        });
      } catch (error) {
        if (ended.signal.aborted) return;
        if (error instanceof Refused && error.status === 403) return onLost(error);
      }
      if (ended.signal.aborted) return;
      onLost(null);
      await new Promise((go) => setTimeout(go, pause));
    }
  })();
  return () => ended.abort();
}

async function readEvents(stream, onData) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (held + value).split("\n\n");
    held = events.pop();
    for (const event of events) if (event.startsWith("data: ")) onData(event.slice(6));
  }
}
