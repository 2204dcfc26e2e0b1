"""The table of phrasings: what a whole message may look like, and what it then asks for."""

from __future__ import annotations

import re

_TEAM = r"""(?: (?: (?:the|our|my) \s+ )? (?: (?:whole|entire) \s+ )? (?:team|others|group)
              | everyone | everybody | all (?: \s+ of \s+ us )? )"""
_BASE = r"""(?: (?: (?:the|our) \s+ )?
              (?: (?: team (?:[’']s)? | shared ) (?: \s+ knowledge (?: \s+ base )? )? | knowledge \s+ base ) )"""
_THAT = r"(?: that | this | the \s+ following )"
_MARK = rf"(?: \s* : \s* | \s+ {_THAT} \s* : \s* | \s+ that \s+ | \s+ down \s* : \s* | \s+ down \s+ (?: that \s+ )? )"
_JOIN = rf"(?: \s* : \s* | \s+ {_THAT} \s* : \s* | \s+ that \s+ | \s* , \s+ | \s+ [–—-]+ \s+ | \s+ )"
_KEEP = r"""(?: remember | memori[sz]e | memoi[sz]e | (?: keep | bear ) \s+ in \s+ mind
              | (?: don[’']?t | do \s+ not ) \s+ forget | (?: make | take ) \s+ (?: a \s+ )? note | note | save )"""
_PUT = r"(?: store | record | log | keep | write | jot | put )"
_FOR_ME = r"""(?: \s+ (?: (?: (?:just|only) \s+ )? for \s+ (?:me|myself) (?: \s+ (?:only|alone) )?
                        | privately | in \s+ private | in \s+ my \s+ corner ) )"""
_THIS = r"(?: (?: this | that | it ) (?: [\s,]+ (?: one | message | note | too | please | down | for \s+ me ) )* )"
_ABOUT = r"(?: \s+ (?: about | on | of | regarding | concerning ) )"
_ONE = r"(?: you | we | i | anyone | anybody | people | the \s+ team )"
_KNOWN = r"""(?: know | knew | known | remember (?:ed)? | recall | say | said | tell \s+ (?:me|us) | have | got | saved?
               | noted? | write | wrote | learn (?:ed)? )"""
_NOTE = r"(?: notes? | pages? | memor(?:y|ies) | thing | part | bit | everything )"
_ASKING = "(?: what | which | who | whom | whose | where | when | why | how )"
_IS = "(?: is | are | was | were | does | do | did | has | have | can | should | will | if | whether )"
_REST = r"(?P<rest> \S .* )"
_END = r"[\s?!.]*"

_PHRASES: tuple[tuple[str, str, str], ...] = (
    ("help", "", rf"\? | (?: help (?: \s+ me )? | commands | usage | who \s+ are \s+ you ) {_END}"),
    ("help", "", rf"""(?: what \s+ can \s+ (?:you|i) \s+ (?:do|say) | how \s+ do (?:es)? \s+ (?:you|this|it) \s+
                    work ) {_END}"""),
    ("help", "", rf"(?: hi | hello | hey | good \s+ (?:morning|afternoon|evening) ) {_END}"),
    ("thanks", "", rf"""(?: thanks? (?: \s+ you )? (?: \s+ (?: a \s+ lot | (?:very|so) \s+ much ) )? | thx | cheers
                    ) {_END}"""),
    ("thanks", "", rf"(?: great | perfect | nice | cool | ok | okay ) {_END}"),
    ("undo", "", rf"(?: undo | revert | scratch ) (?: \s+ {_THIS} )? {_END}"),
    ("undo", "", rf"""(?: undo | revert ) \s+ (?: (?:the|my) \s+ )? last (?: \s+ (?: one | thing | change | note )
                    )? {_END}"""),
    ("undo", "", rf"(?: take | roll ) \s+ (?: that | it | this ) \s+ back {_END}"),
    ("undo", "", rf"(?: forget | delete | remove | drop | discard ) (?: \s+ about )? \s+ {_THIS} {_END}"),
    ("withdraw", "", rf"(?: withdraw | cancel ) (?: \s+ (?: (?:the|my) \s+ )? (?: proposal | request ) )? \s+ {_REST}"),
    ("waiting", "", rf"""what (?: [’']s | \s+ is ) (?: \s+ still )? \s+ (?: waiting | pending ) (?: \s+ for .* )?
                    {_END}"""),
    ("waiting", "", rf"""(?: (?: show | list ) \s+ )? (?: me \s+ )? (?: (?:my|the) \s+ )? (?: proposals | pending )
                    {_END}"""),
    ("list", "", rf"what \s+ (?: do | have ) \s+ (?: you | we ) \s+ {_KNOWN} (?: \s+ so \s+ far )? {_END}"),
    ("list", "", rf"""(?: list | show ) (?: \s+ (?: me | your | my | our | the | all ) )* \s+ (?: notes | pages |
                    memories ) {_END}"""),
    ("who", "", rf"(?: says \s+ who | who \s+ sa(?:id|ys) (?: \s+ so )? ) {_END}"),
    ("who", "", rf"""who (?: \s+ has )? \s+ (?: said | says | told \s+ (?: you | us | me ) | wrote | saved | shared
                     | noted | mentioned | added | claim(?:s|ed) )
                     (?: \s+ that (?= \s+ \w ) | {_ABOUT} )? \s+ {_REST}"""),
    ("who", "", rf"where \s+ did \s+ (?: you | we ) \s+ (?: get | hear | learn | read ) {_ABOUT}? \s+ {_REST}"),
    ("recall", "", rf"""(?: recall | look \s+ (?: up | for ) | search (?: \s+ for )? | find ) (?: {_ABOUT} | \s* :
                    )? \s+ {_REST}"""),
    ("recall", "", rf"""(?: what | anything | everything ) (?: \s+ else )?
                        (?: \s+ (?: do | did | can | could | have | has ) )? \s+ {_ONE}
                        (?: \s+ (?: ever | already ) )? \s+ {_KNOWN} {_ABOUT} \s+ {_REST}"""),
    ("recall", "", rf"""(?: tell | show | give | remind ) \s+ (?: me | us )
                        (?: \s+ (?: what | everything | anything | all ) \s+ {_ONE} \s+ {_KNOWN} )?
                        {_ABOUT} \s+ {_REST}"""),
    ("recall", "", rf"""(?: do | did | does ) \s+ {_ONE} (?: \s+ still )? \s+ {_KNOWN}
                        (?: \s+ (?: anything | something ) )? (?: {_ABOUT} | \s+ that )? \s+ {_REST}"""),
    ("recall", "", rf"(?: remember | know ) \s+ (?P<rest> (?: {_ASKING} | {_IS} ) \b [^?]* \? \s* )"),
    ("recall", "", rf"(?: anything | any \s+ (?: notes? | news ) | notes ) {_ABOUT} \s+ {_REST}"),
    ("remember", "shared", rf"(?: share | post ) (?: \s+ {_THIS} )? \s+ with \s+ {_TEAM} {_END}"),
    ("remember", "shared", rf"{_KEEP} (?: \s+ {_THIS} )? \s+ for \s+ {_TEAM} {_END}"),
    ("remember", "user", rf"(?: {_KEEP} (?: \s+ {_THIS} )? {_FOR_ME} | note \s+ to \s+ self ) {_END}"),
    ("remember", "shared", rf"""(?: share | post | propose ) \s+ (?: with | to | for ) \s+ (?: {_TEAM} | {_BASE} )
                    {_JOIN} {_REST}"""),
    ("remember", "shared", rf"(?: tell | inform | let | remind | notify ) \s+ {_TEAM} (?: \s+ know )? {_JOIN} {_REST}"),
    ("remember", "shared", rf"""(?: {_KEEP} | {_PUT} | add ) (?: \s+ this )? \s+ (?: for | to | with | in | into )
                                \s+ (?: {_TEAM} | {_BASE} ) {_JOIN} {_REST}"""),
    ("remember", "public", rf"""(?: publish | (?: make | share ) \s+ public (?:ly)? | share \s+ with \s+ the \s+ world
                                | (?: add | save | propose ) \s+ (?: to | for ) \s+ public ) {_JOIN} {_REST}"""),
    ("remember", "shared", rf"share \s+ (?P<rest> \S .*? ) \s with \s+ {_TEAM} {_END}"),
    ("remember", "shared", rf"(?: share | propose ) (?: {_MARK} | \s+ ) {_REST}"),
    ("remember", "user", rf"(?: note \s+ to \s+ (?:self|myself) | (?: {_KEEP} | {_PUT} ) {_FOR_ME} ) {_JOIN} {_REST}"),
    ("forget", "", rf"""(?: forget | delete | erase | remove | discard | stop \s+ remembering
                        | (?: don[’']?t | do \s+ not ) \s+ remember )
                        (?: \s+ (?: (?: your | the | my | our | any | all ) \s+ )? {_NOTE} (?: {_ABOUT} | \s+ that )
                          | \s+ (?: what | everything ) \s+ {_ONE} \s+ {_KNOWN} {_ABOUT} | \s+ about | \s+ that )?
                        (?: \s* : \s* | \s+ ) {_REST}"""),
    ("remember", "mine", rf"{_KEEP} (?: \s+ {_THIS} )? {_END} | {_PUT} \s+ {_THIS} {_END}"),
    ("remember", "mine", rf"{_PUT} {_MARK} {_REST}"),
    ("remember", "mine", rf"{_KEEP} (?: \s+ (?: down | for \s+ later | of ) )? {_JOIN} {_REST}"),
    ("remember", "mine", rf"for \s+ the \s+ record {_JOIN} {_REST}"),
)  # fmt: skip


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.IGNORECASE | re.DOTALL)


TABLE = tuple((_rule(pattern), want, target or "mine") for want, target, pattern in _PHRASES)
"""Patterns for a whole message, the want each means, and its target. The first that matches wins."""

COURTESY = _rule(
    r"""(?: hey | hi | hello | ok | okay | so | well | also | and | now | oh | alright | btw ) \b [\s,!.…–—-]+
      | (?: please | pls | kindly | just | quickly | actually ) \b [\s,]+
      | (?: can | could | would | will ) \s+ (?: you | u ) \s+
      | (?: i | we ) (?: [’']d | \s+ would ) \s+ (?: like | love ) \s+ you \s+ to \s+
      | (?: i | we ) \s+ (?: want | need ) \s+ you \s+ to \s+
      | you \s+ (?: should | must | need \s+ to ) \s+
      | [\s,;:!.–—]+"""
)
"""What may stand before the keyword: courtesies, and what a removed mention leaves behind. Never empty."""

QUESTION = _rule(rf"(?: {_ASKING} (?: [’'](?:s|re) )? | {_IS} ) \b .+ \? \s*")
"""Any other question: it is looked for as it is."""

POINTS_BACK = _rule(rf"{_THIS} {_END}")
"""Words that mean the message at hand and not themselves."""
