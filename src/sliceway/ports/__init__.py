"""The ports: what the flows need, each an interface whose docstrings its implementations obey."""

from sliceway.ports.agent import Agent, Decision, Reply, ToolAnswer, Tools, ToolSpec
from sliceway.ports.brain import Brain, BrainDoor, OriginLike, PageLike
from sliceway.ports.chat import CardRef, ChatPlatform, Me, PersonFacts, PlaceFacts
from sliceway.ports.desk import DeadLetter, Desk, InboxItem, Owed
from sliceway.ports.hooks import Hooks
from sliceway.ports.inbound import Inbound, Observed
from sliceway.ports.outcomes import (
    AgentEntry,
    AuditEntry,
    Done,
    Outcome,
    SliceEntry,
    VerifyFault,
    VerifyReport,
    WhoAmI,
)
from sliceway.ports.time import Clock, NewId, NewSecret

__all__ = [
    "Agent",
    "AgentEntry",
    "AuditEntry",
    "Brain",
    "BrainDoor",
    "CardRef",
    "ChatPlatform",
    "Clock",
    "DeadLetter",
    "Decision",
    "Desk",
    "Done",
    "Hooks",
    "Inbound",
    "InboxItem",
    "Me",
    "NewId",
    "NewSecret",
    "Observed",
    "OriginLike",
    "Outcome",
    "Owed",
    "PageLike",
    "PersonFacts",
    "PlaceFacts",
    "Reply",
    "SliceEntry",
    "ToolAnswer",
    "ToolSpec",
    "Tools",
    "VerifyFault",
    "VerifyReport",
    "WhoAmI",
]
