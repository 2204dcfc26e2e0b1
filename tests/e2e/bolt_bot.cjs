// A bot on Slack's own Bolt, as its author would write it: it knows of nobody who might play Slack.
const { App } = require("@slack/bolt");

const { SLACK_API_URL: slackApiUrl, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = process.env;
const token = process.env.SLACK_BOT_TOKEN;
const app = new App({ token, appToken, signingSecret, socketMode: Boolean(appToken), clientOptions: { slackApiUrl } });

const plain = (text) => ({ type: "plain_text", text });
const why = { type: "button", action_id: "why", text: plain("Say why") };
const text = { type: "plain_text_input", action_id: "text" };
const reason = { type: "input", block_id: "reason", label: plain("Reason"), element: text };
const form = { type: "modal", callback_id: "told", title: plain("Why"), submit: plain("Send"), blocks: [reason] };

app.message("hello", ({ message, say }) => say(`Hello, <@${message.user}>!`));

app.event("app_mention", ({ event, say }) =>
  say({ text: "Deploy?", blocks: [{ type: "actions", elements: [why] }], thread_ts: event.ts }));

app.command("/echo", ({ ack, command }) => ack(command.text));

app.action("why", async ({ ack, body, client }) => {
  await ack();
  await client.views.open({ trigger_id: body.trigger_id, view: form });
});

app.view("told", async ({ ack, body, view, client }) => {
  await ack();
  await client.chat.postMessage({ channel: body.user.id, text: view.state.values.reason.text.value });
});

app.start(process.env.PORT);
