"""A local Slack-like workspace that speaks Slack's wire to a real bot: no account, no network, on one laptop.

It is useful for any bot: point `SLACK_API_URL` at it, tell it the bot's request URL, and drive the people in it
through the control API. What Slack refuses, it refuses with Slack's own error codes.
"""
