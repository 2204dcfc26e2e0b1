"""The bodies of the control API, as pydantic reads them: an unknown field is an error, never ignored."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeVar

from aiohttp import web
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from sliceway.errors import InvalidRequest
from sliceway.workspace.faults import DisconnectReason, field_errors
from sliceway.workspace.model import ChannelKind, Role


def _encodable(text: str) -> str:
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("a lone surrogate is no character and cannot be sent in a form")
    return text


Id = Annotated[str, Field(min_length=1, max_length=64)]
Ts = Annotated[str, Field(pattern=r"^[0-9]{1,12}\.[0-9]{1,6}$")]
Ids = Annotated[tuple[Id, ...], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
Typed = Annotated[str, Field(max_length=40_000)]  # what Slack takes in one message
Formed = Annotated[str, Field(max_length=40_000), AfterValidator(_encodable)]
Body = TypeVar("Body", bound="_Body")


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Say(_Body):
    """Somebody posts a message."""

    user: Id
    channel: Id
    text: Typed
    thread_ts: Ts | None = None


class Edit(_Body):
    """Somebody changes their own message."""

    user: Id
    channel: Id
    ts: Ts
    text: Typed


class Delete(_Body):
    """Somebody deletes their own message."""

    user: Id
    channel: Id
    ts: Ts


class Command(_Body):
    """Somebody types a slash command."""

    user: Id
    channel: Id
    command: Formed
    text: Formed = ""
    thread_ts: Ts | None = None


class _InOnePlace(_Body):
    """Something in a message (`channel`, `ts`) or in a view (`view_id`)."""

    user: Id
    channel: Id | None = None
    ts: Ts | None = None
    view_id: Id | None = None
    action_id: Annotated[str, Field(min_length=1, max_length=255)]
    block_id: str | None = None

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        message = self.channel is not None and self.ts is not None
        if (self.view_id is not None and (self.channel or self.ts)) or (self.view_id is None and not message):
            raise ValueError("name either a message, by channel and ts, or a view, by view_id")
        return self

    @property
    def place(self) -> str | tuple[str, str]:
        """The view's id, or the message's channel and time."""
        return self.view_id if self.view_id is not None else (self.channel or "", self.ts or "")


class Suggest(_InOnePlace):
    """Somebody types in a menu whose options the app is asked for."""

    value: Typed = ""


class Click(_InOnePlace):
    """Somebody presses something; `values` are what stands in the fields beside it."""

    value: str | tuple[str, ...] | None = None
    values: dict[str, dict[str, dict[str, Any]]] = {}


class Submit(_Body):
    """Somebody submits a modal."""

    user: Id
    view_id: Id
    values: dict[str, Any] = {}


class Close(_Body):
    """Somebody closes a modal without submitting; `clear` closes all that are open in front of them."""

    user: Id
    view_id: Id
    clear: bool = False


class OpenHome(_Body):
    """Somebody looks at the app's home tab."""

    user: Id


class PersonChange(_Body):
    """Somebody becomes different."""

    user: Id
    deleted: bool | None = None
    role: Role | None = None


class ChannelChange(_Body):
    """A channel becomes different."""

    channel: Id
    kind: ChannelKind | None = None
    invite: Ids = ()
    remove: Ids = ()


class Disconnect(_Body):
    """Every socket of the app's has to go, and why: as in a fault plan."""

    reason: DisconnectReason = "refresh_requested"


class Advance(_Body):
    """Time passes."""

    advance: str


class RequestUrl(_Body):
    """Where the app is; null while it is nowhere."""

    url: Annotated[str, Field(pattern=r"^https?://\S+$", max_length=2000)] | None


class Deliver(_Body):
    """A raw payload for the app; `retry_num` marks it as a repetition."""

    type: Literal["event", "interactive", "command"]
    payload: dict[str, Any]
    retry_num: Annotated[int, Field(ge=0, le=3)] | None = None
    retry_reason: str = "http_timeout"

    @model_validator(mode="after")
    def _a_form(self) -> Deliver:
        if self.type == "command":
            for name, value in self.payload.items():
                if not isinstance(value, str):
                    raise ValueError(f"a command is sent as a form: {name} has to be a string")
                _encodable(value)
        return self


class Nothing(_Body):
    """Nothing is said with it."""


class AskOther(_Body):
    """What the other agent is to recall."""

    query: Annotated[str, Field(min_length=1, max_length=400)]


class MessagesQuery(_Body):
    """Which messages, as whom."""

    channel: Id
    thread_ts: Ts | None = None
    viewer: Id | None = Field(default=None, alias="as")


class StreamQuery(_Body):
    """Whose eyes the page looks through."""

    viewer: Id = Field(alias="as")


def parsed(model: type[Body], values: Any) -> Body:
    """Return the values as the model.

    :raises InvalidRequest: with every field that is wrong.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InvalidRequest(errors=field_errors(error)) from None


async def body_of(request: web.Request, model: type[Body]) -> Body:
    """Return a request's JSON body as the model.

    :raises InvalidRequest: not JSON, or not what the model wants.
    """
    return parsed(model, await json_of(request))


async def json_of(request: web.Request) -> Any:
    """Return a request's JSON body.

    :raises InvalidRequest: not JSON.
    """
    try:
        return await request.json()
    except ValueError:
        raise InvalidRequest("The body is not JSON; send an object, as documented for this address.") from None
