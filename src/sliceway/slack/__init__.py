"""Slack: payloads in, cards and words out. No Slack type leaves this package."""
