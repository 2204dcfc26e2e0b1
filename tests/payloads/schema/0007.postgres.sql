CREATE TABLE public.tokens (
    slice text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    agent text COLLATE pg_catalog."C",
    teams text NOT NULL COLLATE pg_catalog."C",
    acts_for boolean NOT NULL,
    decides boolean NOT NULL,
    slices text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text COLLATE pg_catalog."C",
    rotated_at text COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.tokens FORCE ROW LEVEL SECURITY;
CREATE FUNCTION public.sliceway_token(of_slice text, token_id text) RETURNS SETOF public.tokens
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM tokens WHERE slice = of_slice AND id = token_id $$;
COMMENT ON FUNCTION public.sliceway_token(of_slice text, token_id text) IS 'sliceway c417fa9a11ebe71d837c20ca08dadf1e9e9063e9be60e6993a1e98210f17f98a';
CREATE TABLE public.agent_acts (
    slice text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    act text NOT NULL COLLATE pg_catalog."C",
    mind text NOT NULL COLLATE pg_catalog."C",
    agent text COLLATE pg_catalog."C",
    into_agent text COLLATE pg_catalog."C",
    details text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C",
    done_at text COLLATE pg_catalog."C",
    undone_at text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.agent_acts FORCE ROW LEVEL SECURITY;
CREATE TABLE public.agents (
    slice text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    display text COLLATE pg_catalog."C",
    source text COLLATE pg_catalog."C",
    registered_at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.agents FORCE ROW LEVEL SECURITY;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL,
    oldest character varying(80)
);
CREATE TABLE public.aliases (
    slice text NOT NULL COLLATE pg_catalog."C",
    alias text NOT NULL COLLATE pg_catalog."C",
    agent text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.aliases FORCE ROW LEVEL SECURITY;
CREATE TABLE public.cards (
    slice text NOT NULL COLLATE pg_catalog."C",
    proposal text NOT NULL COLLATE pg_catalog."C",
    place text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    until text NOT NULL COLLATE pg_catalog."C",
    ref text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.cards FORCE ROW LEVEL SECURITY;
CREATE TABLE public.channels (
    slice text NOT NULL COLLATE pg_catalog."C",
    team text NOT NULL COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    trust text COLLATE pg_catalog."C",
    external boolean NOT NULL,
    guests boolean NOT NULL,
    fell_at text COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.channels FORCE ROW LEVEL SECURITY;
CREATE TABLE public.erased (
    slice text NOT NULL COLLATE pg_catalog."C",
    mark text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL
);
ALTER TABLE ONLY public.erased FORCE ROW LEVEL SECURITY;
CREATE TABLE public.erasures (
    slice text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    what text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    counts text NOT NULL COLLATE pg_catalog."C",
    author text NOT NULL COLLATE pg_catalog."C",
    begun_at text NOT NULL COLLATE pg_catalog."C",
    done_at text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.erasures FORCE ROW LEVEL SECURITY;
CREATE TABLE public.events (
    slice text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C",
    author text NOT NULL COLLATE pg_catalog."C",
    prev text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    payload text COLLATE pg_catalog."C",
    salt bytea,
    token text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;
CREATE TABLE public.grants (
    slice text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    agent text NOT NULL COLLATE pg_catalog."C",
    writer_key text NOT NULL COLLATE pg_catalog."C",
    writer text NOT NULL COLLATE pg_catalog."C",
    surface text NOT NULL COLLATE pg_catalog."C",
    team text NOT NULL COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    thread text COLLATE pg_catalog."C",
    granted_by text NOT NULL COLLATE pg_catalog."C",
    given_at text NOT NULL COLLATE pg_catalog."C",
    until text NOT NULL COLLATE pg_catalog."C",
    proposal text NOT NULL COLLATE pg_catalog."C",
    ended_at text COLLATE pg_catalog."C",
    ended_why text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.grants FORCE ROW LEVEL SECURITY;
CREATE TABLE public.idempotency (
    slice text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    request_id text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    answer text NOT NULL COLLATE pg_catalog."C",
    agent text COLLATE pg_catalog."C",
    turn text COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE public.keeper_lease (
    slice text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    until text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.keeper_lease FORCE ROW LEVEL SECURITY;
CREATE TABLE public.links (
    slice text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.links FORCE ROW LEVEL SECURITY;
CREATE TABLE public.mounts (
    slice text NOT NULL COLLATE pg_catalog."C",
    mount text NOT NULL COLLATE pg_catalog."C",
    folder text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C",
    removed_at text COLLATE pg_catalog."C",
    report text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.mounts FORCE ROW LEVEL SECURITY;
CREATE TABLE public.neighbours (
    slice text NOT NULL COLLATE pg_catalog."C",
    doc integer NOT NULL,
    folder text COLLATE pg_catalog."C",
    after text COLLATE pg_catalog."C",
    before integer
);
ALTER TABLE ONLY public.neighbours FORCE ROW LEVEL SECURITY;
CREATE TABLE public.page_versions (
    slice text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    title text COLLATE pg_catalog."C",
    content text COLLATE pg_catalog."C",
    summary text COLLATE pg_catalog."C",
    tags text NOT NULL COLLATE pg_catalog."C",
    kind text COLLATE pg_catalog."C",
    after text COLLATE pg_catalog."C",
    agent text COLLATE pg_catalog."C",
    author text NOT NULL COLLATE pg_catalog."C",
    approver text COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    undoes text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.page_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.pages (
    slice text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    doc integer NOT NULL,
    version integer NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    title_key text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL COLLATE pg_catalog."C",
    summary text COLLATE pg_catalog."C",
    tags text NOT NULL COLLATE pg_catalog."C",
    kind text COLLATE pg_catalog."C",
    after text COLLATE pg_catalog."C",
    agent text COLLATE pg_catalog."C",
    behalf text COLLATE pg_catalog."C",
    author text NOT NULL COLLATE pg_catalog."C",
    approver text COLLATE pg_catalog."C",
    terms integer NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    deleted_at text COLLATE pg_catalog."C",
    embedded integer
);
ALTER TABLE ONLY public.pages FORCE ROW LEVEL SECURITY;
CREATE TABLE public.people (
    slice text NOT NULL COLLATE pg_catalog."C",
    team text NOT NULL COLLATE pg_catalog."C",
    "user" text NOT NULL COLLATE pg_catalog."C",
    gone_at text COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.people FORCE ROW LEVEL SECURITY;
CREATE TABLE public.policy (
    slice text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.policy FORCE ROW LEVEL SECURITY;
CREATE TABLE public.proposals (
    slice text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    destination text NOT NULL COLLATE pg_catalog."C",
    revision integer NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    op text NOT NULL COLLATE pg_catalog."C",
    agent text NOT NULL COLLATE pg_catalog."C",
    requester text COLLATE pg_catalog."C",
    requested_by text COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    author text NOT NULL COLLATE pg_catalog."C",
    thread text NOT NULL COLLATE pg_catalog."C",
    pages text NOT NULL COLLATE pg_catalog."C",
    diff text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C",
    asked_before boolean NOT NULL,
    quiet boolean NOT NULL,
    raised boolean NOT NULL,
    superseded_by text COLLATE pg_catalog."C",
    decided_by text COLLATE pg_catalog."C",
    decided_at text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    grant_id text COLLATE pg_catalog."C",
    turn text COLLATE pg_catalog."C",
    history text NOT NULL COLLATE pg_catalog."C",
    changed integer NOT NULL,
    changed_at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.proposals FORCE ROW LEVEL SECURITY;
CREATE TABLE public.slices (
    slice text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    head text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    docs integer NOT NULL,
    length integer NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    embedder text COLLATE pg_catalog."C",
    vectors text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.slices FORCE ROW LEVEL SECURITY;
CREATE TABLE public.terms (
    slice text NOT NULL COLLATE pg_catalog."C",
    term text NOT NULL COLLATE pg_catalog."C",
    doc integer NOT NULL,
    tf integer NOT NULL,
    length integer NOT NULL
);
ALTER TABLE ONLY public.terms FORCE ROW LEVEL SECURITY;
CREATE TABLE public.vectors (
    slice text NOT NULL COLLATE pg_catalog."C",
    doc integer NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    passage integer NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    before integer,
    vector bytea NOT NULL
);
ALTER TABLE ONLY public.vectors FORCE ROW LEVEL SECURITY;
INSERT INTO public.alembic_version VALUES ('0007', '0007 0007');
INSERT INTO public.events VALUES ('_system', 1, '00000000000000000000000001', 'policy.changed', '2026-05-04T09:30:00.000000Z', '{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', '41f8b0d281714abae17276b952adaf68f1defa941d55547828577f4063c163f3', '9550ae2e4db2372403cc67d4a2b5dc484bc3792a2a48a6c8ae596a218dc71c20', '{"about":{"fields":["managers","teams"],"source":"set","version":1,"version_before":0},"rows":[{"key":{"name":"teams"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1\"]"},"table":"policy"},{"key":{"name":"managers"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1:UMAX\",\"UMIA\"]"},"table":"policy"},{"key":{"name":"version"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"1"},"table":"policy"}]}', '\xdb0b93ba0dbf25ce577552d3aff121ad43670ee821a7a38e96bfcb6ecb82a395', NULL);
INSERT INTO public.events VALUES ('_system', 2, '00000000000000000000000003', 'token.created', '2026-05-04T09:30:00.000000Z', '{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}', '9550ae2e4db2372403cc67d4a2b5dc484bc3792a2a48a6c8ae596a218dc71c20', '3a1ce2f0a5024168650122aa2495edae3ec16404bed0b00b8e81736d65b3d2fc', 'de94ba89c999a1f3ec922ee7731c953e94db4519d4abb6e60b6805799a98c059', '{"about":{"agent":"ada","kind":"agent","token":"00000000000000000000000002"},"rows":[{"key":{"id":"00000000000000000000000002"},"set":{"acts_for":false,"agent":"ada","created_at":"2026-05-04T09:30:00.000000Z","decides":false,"expires_at":null,"hash":"d64b93c9f1b60eb338e5cb415d6a36bd920edd0e9b36f7ea5c730d0e10ff147f","kind":"agent","revoked_at":null,"rotated_at":null,"slices":"[]","teams":"[]"},"table":"tokens"}]}', '\x2b4593cd12ce0b93d33c86dd4b08e40750c857294bb02710caf4fa0141bdd61b', NULL);
INSERT INTO public.events VALUES ('agent-ada', 1, '00000000000000000000000004', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', '740e962a2252102d9457a56e7fec180f3491c25c2d7e7249127b3f7c752509f7', '37760ccb14ea84b8b703260e287976e5f350ab317bac574d4aee3e545bb332ce', '{"about":{"action":"store","slug":"deploy/1","version":1},"page":{"content":"Build 2300 is the rollback target.","tags":[],"title":"deploy/1"}}', '\x2fa7db08b9d41a7e1354ba87389bf0cb09dd96fcfd7a0b447eaa241391e67f9d', NULL);
INSERT INTO public.events VALUES ('agent-ada', 2, '00000000000000000000000005', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '37760ccb14ea84b8b703260e287976e5f350ab317bac574d4aee3e545bb332ce', '05f5b6062bab67709580e42cdf287e3f276e46a9ac663bddd63fec1667f86870', '76fad3a3e7c92229136b26437a38e230e025dcd8e8512955133ccfe4dee57c56', '{"about":{"action":"store","slug":"deploy/2","version":1},"page":{"content":"Then: Build 2300 is the rollback target.","tags":[],"title":"deploy/2"}}', '\x154589de7e3e529c0ee63c75e2dbda1e1e97562f3f902e69da837669560aa566', NULL);
INSERT INTO public.events VALUES ('agent-ada', 3, '00000000000000000000000006', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '76fad3a3e7c92229136b26437a38e230e025dcd8e8512955133ccfe4dee57c56', 'dd3ba82d6b18cf6f05a5502ff2b8a8e73169f9daf49b5ebe6cdad6838cebfd1e', '8ec679185a5b719778ddbfac30bed35e3bf145c16496767cbdd6c20fd1f2d668', '{"about":{"action":"replace","slug":"deploy/1","version":2},"page":{"content":"Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/1"}}', '\xe24d2ba4978dada99e64e0cbee47e8b7e63d183431933fe1537291431ae22b6b', NULL);
INSERT INTO public.events VALUES ('agent-ada', 4, '00000000000000000000000007', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '8ec679185a5b719778ddbfac30bed35e3bf145c16496767cbdd6c20fd1f2d668', '27cf8d662ffb086f3b2159d33a6637d61fc09f24e60c9d865a4ef15ae0045ce2', 'e63eb41ad2b35a6e70f595291a1fb8cb4f6b2f0d333fe5a9554306ccceec3c6c', '{"about":{"action":"replace","slug":"deploy/2","version":2},"page":{"content":"Then: Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/2"}}', '\xb3fe0b0eaab818346b5b5d2facfb1ea2247563155771f3a0afae29987644a2b0', NULL);
INSERT INTO public.events VALUES ('agent-ada', 5, '00000000000000000000000008', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', 'e63eb41ad2b35a6e70f595291a1fb8cb4f6b2f0d333fe5a9554306ccceec3c6c', 'd875a3e1a719a6eeb04200a1b9878558f573bc71662311119f429d71697835b9', '98e1b9c19e51b4f68856d6fcc299a6103dce939c0c4f144aa7776e1b670d2ed7', '{"about":{"action":"store","slug":"gone","version":1},"page":{"content":"It was here.","tags":[],"title":"gone"}}', '\xfa1c502554cce2f4c1f62859a916a4b2b07519fe3c9c8b5cc243c4867a5e3078', NULL);
INSERT INTO public.events VALUES ('agent-ada', 6, '00000000000000000000000009', 'page.deleted', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '98e1b9c19e51b4f68856d6fcc299a6103dce939c0c4f144aa7776e1b670d2ed7', 'a32f8b5fef44103801a414adf7ae36df4b77f088c4d05771a65be49bc793ac65', '4f9124c53afa1b9de04403fa5cb2ccfec13ab86aac8ffd4cded7187d70103b87', '{"about":{"action":"delete","slug":"gone","version":2}}', '\x465b56ca503c611b56195d2a4a366b5b36fbbb8a1d12e135deebc46e694ab90a', NULL);
INSERT INTO public.events VALUES ('shared', 1, '0000000000000000000000000B', 'proposal.asked', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', '1d0a331a2815a158232003ff02cc9aaaa574114960e20c639e1a2c8c387dd0d6', '8b316c24205bc9fadee26784618e77dab34bf67ad4b737752db078770d807eda', '{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000A","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"oncall\"}]","digest":"51ba05ab43859b4c86ed28008c3eaa559e1182466131addd8e5d584bdb8512d7","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"oncall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}', '\x4c8145b84f6f48a9dc95d522824d5208a7bd7c9715d399118da577347e50365e', NULL);
INSERT INTO public.events VALUES ('shared', 2, '0000000000000000000000000C', 'proposal.approve', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}', '8b316c24205bc9fadee26784618e77dab34bf67ad4b737752db078770d807eda', '538ccd8d6cff68e315daba30bbbaf059b5c168c7ee8dc34112f77f0b28605e56', '59d54a17ee7d280d5432a5227a174c3f85c76f3140dadded12bcee895f2e8c95', '{"about":{"after":"applied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000A","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"approve\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"applied\"}]","revision":2,"state":"applied"},"table":"proposals"}]}', '\x029e44bde225c13ef2599fd9138142f83d86a507de9fbf105e189cbf561b679a', NULL);
INSERT INTO public.events VALUES ('shared', 3, '0000000000000000000000000D', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '59d54a17ee7d280d5432a5227a174c3f85c76f3140dadded12bcee895f2e8c95', '772974f4368db8e38ce2df056d5fe4ac5ce8fc0ab5e12ccf10b3b556f518b0ea', 'b576332a68d1b2bb557648fce6e871b316ffcf24fcf63608dfcb351dae880ef5', '{"about":{"action":"store","proposal":"0000000000000000000000000A","slug":"oncall","version":1},"approver":{"name":"Mia","team":"T1","user":"UMIA"},"page":{"content":"On-call moves to Mondays.","tags":[],"title":"oncall"}}', '\x9190fff2041ae6f9df498a7530c82a01478e3972ec290e5d9760c32051019112', NULL);
INSERT INTO public.events VALUES ('shared', 4, '0000000000000000000000000F', 'proposal.asked', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'b576332a68d1b2bb557648fce6e871b316ffcf24fcf63608dfcb351dae880ef5', 'fda5715d9c0bcf7b1e47ad7613a291a5c39a6b3fe803a6ccaf474051903a3249', '86ef2e534c79e2cc34dc99e96830e5603cec825e4c81ec06a4444e9aca52f550', '{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000E","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"offcall\"}]","digest":"7098115c33f8e108a37a411a28491ffb7c624107c39bb6cee1db3782bb70735c","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"offcall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}', '\x6e3b8535298c0ea2d08b8d47143760f74657f84db80e1543d01a5eff757f2df2', NULL);
INSERT INTO public.events VALUES ('shared', 5, '0000000000000000000000000G', 'proposal.deny', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}', '86ef2e534c79e2cc34dc99e96830e5603cec825e4c81ec06a4444e9aca52f550', '6740298e248bf1c75114de8bcf957e8aa615f7cb78c80af73d682340c41a1a48', '36bd211c8be91bef15cc375183d98da503cbda5e52041cdba337fa391a2e4c85', '{"about":{"after":"denied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000E","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"deny\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"denied\"}]","revision":2,"state":"denied"},"table":"proposals"}]}', '\x83cbe574f0dda1aa1ddd73af12eb8735c51017b1f58a839d47e5fc3d3e649b73', NULL);
INSERT INTO public.events VALUES ('shared', 6, '0000000000000000000000000J', 'proposal.asked', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '36bd211c8be91bef15cc375183d98da503cbda5e52041cdba337fa391a2e4c85', '7d170c72de080324256004427c9c253ff0b096a3ff1fbdd4d683363b3ec1f1ec', 'b34348bba323a4b0ab1d3f77506aac334c1e5abad0860038f883a2b29f8750b0', '{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000H","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000H"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"waits\"}]","digest":"b329ed168e8dfe9478728659bcc84e9b7a6c86f72140abd48db03461b5cc7068","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"waits\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}', '\xda7b7a5c0e7f88aa4e238740d97d418514cba675bf7fc743d3a775b6758d088b', NULL);
INSERT INTO public.events VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 1, '0000000000000000000000000K', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', '0604f95470c54abf0a44e305c67ae2106c144f5186a034680037b97d605f933b', 'ec67d8cb66836048adde8451d8f0272a7efd861f607d16ace9faf35473f6a400', '{"about":{"action":"store","slug":"note","version":1},"page":{"content":"Only for Ann.","tags":[],"title":"note"}}', '\x0486ded4828c070e8f1867c96b899eb3756b3ccfcbc1528a1c4100588dc87f43', NULL);
INSERT INTO public.links VALUES ('agent-ada', 'deploy/target', 'deploy/1');
INSERT INTO public.links VALUES ('agent-ada', 'deploy/target', 'deploy/2');
INSERT INTO public.neighbours VALUES ('agent-ada', 1, 'deploy', NULL, NULL);
INSERT INTO public.neighbours VALUES ('agent-ada', 2, 'deploy', NULL, 1);
INSERT INTO public.neighbours VALUES ('shared', 3, NULL, NULL, NULL);
INSERT INTO public.neighbours VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 1, NULL, NULL, NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/1', 1, 'store', 'deploy/1', 'Build 2300 is the rollback target.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 1, '00000000000000000000000004', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/2', 1, 'store', 'deploy/2', 'Then: Build 2300 is the rollback target.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 2, '00000000000000000000000005', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/1', 2, 'replace', 'deploy/1', 'Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 3, '00000000000000000000000006', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/2', 2, 'replace', 'deploy/2', 'Then: Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 4, '00000000000000000000000007', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'gone', 1, 'store', 'gone', 'It was here.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 5, '00000000000000000000000008', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'gone', 2, 'delete', NULL, NULL, NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 6, '00000000000000000000000009', NULL);
INSERT INTO public.page_versions VALUES ('shared', 'oncall', 1, 'store', 'oncall', 'On-call moves to Mondays.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '{"name":"Mia","team":"T1","user":"UMIA"}', '2026-05-04T09:30:00.000000Z', 3, '0000000000000000000000000D', NULL);
INSERT INTO public.page_versions VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'note', 1, 'store', 'note', 'Only for Ann.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 1, '0000000000000000000000000K', NULL);
INSERT INTO public.pages VALUES ('agent-ada', 'deploy/1', 1, 2, 'deploy/1', 'deploy/1', 'Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', NULL, '{"agent":"ada","surface":"local","token_id":null}', NULL, 18, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '00000000000000000000000006', NULL, NULL);
INSERT INTO public.pages VALUES ('agent-ada', 'deploy/2', 2, 2, 'deploy/2', 'deploy/2', 'Then: Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', NULL, '{"agent":"ada","surface":"local","token_id":null}', NULL, 19, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '00000000000000000000000007', NULL, NULL);
INSERT INTO public.pages VALUES ('agent-ada', 'gone', 5, 2, 'gone', 'gone', 'It was here.', NULL, '[]', NULL, NULL, 'ada', NULL, '{"agent":"ada","surface":"local","token_id":null}', NULL, 0, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '00000000000000000000000009', '2026-05-04T09:30:00.000000Z', NULL);
INSERT INTO public.pages VALUES ('shared', 'oncall', 3, 1, 'oncall', 'oncall', 'On-call moves to Mondays.', NULL, '[]', NULL, NULL, 'ada', '["T1","UANN"]', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '{"name":"Mia","team":"T1","user":"UMIA"}', 14, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '0000000000000000000000000D', NULL, NULL);
INSERT INTO public.pages VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'note', 1, 1, 'note', 'note', 'Only for Ann.', NULL, '[]', NULL, NULL, 'ada', '["T1","UANN"]', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}', NULL, 10, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '0000000000000000000000000K', NULL, NULL);
INSERT INTO public.policy VALUES ('_system', 'teams', '["T1"]', 'set', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.policy VALUES ('_system', 'managers', '["T1:UMAX","UMIA"]', 'set', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.policy VALUES ('_system', 'version', '1', 'set', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.proposals VALUES ('shared', '0000000000000000000000000A', 'shared', 2, 'applied', 'write', 'ada', 'user-uann--tys7zvlxxgg4jsyhr3kyycucda', '{"name":"Ann","team":"T1","user":"UANN"}', '{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'T1/C1/1.1', '[{"base_version":null,"content":"On-call moves to Mondays.","slug":"oncall","tags":[]}]', '[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"oncall"}]', '51ba05ab43859b4c86ed28008c3eaa559e1182466131addd8e5d584bdb8512d7', '2026-05-04T09:30:00.000000Z', '2026-05-07T09:30:00.000000Z', false, false, false, NULL, '{"name":"Mia","team":"T1","user":"UMIA"}', '2026-05-04T09:30:00.000000Z', NULL, NULL, NULL, '[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"approve","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"applied"}]', 2, '2026-05-04T09:30:00.000000Z');
INSERT INTO public.proposals VALUES ('shared', '0000000000000000000000000E', 'shared', 2, 'denied', 'write', 'ada', 'user-uann--tys7zvlxxgg4jsyhr3kyycucda', '{"name":"Ann","team":"T1","user":"UANN"}', '{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'T1/C1/1.1', '[{"base_version":null,"content":"On-call moves to Mondays.","slug":"offcall","tags":[]}]', '[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"offcall"}]', '7098115c33f8e108a37a411a28491ffb7c624107c39bb6cee1db3782bb70735c', '2026-05-04T09:30:00.000000Z', '2026-05-07T09:30:00.000000Z', false, false, false, NULL, '{"name":"Mia","team":"T1","user":"UMIA"}', '2026-05-04T09:30:00.000000Z', NULL, NULL, NULL, '[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"deny","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"denied"}]', 5, '2026-05-04T09:30:00.000000Z');
INSERT INTO public.proposals VALUES ('shared', '0000000000000000000000000H', 'shared', 1, 'pending', 'write', 'ada', 'user-uann--tys7zvlxxgg4jsyhr3kyycucda', '{"name":"Ann","team":"T1","user":"UANN"}', '{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'T1/C1/1.1', '[{"base_version":null,"content":"On-call moves to Mondays.","slug":"waits","tags":[]}]', '[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"waits"}]', 'b329ed168e8dfe9478728659bcc84e9b7a6c86f72140abd48db03461b5cc7068', '2026-05-04T09:30:00.000000Z', '2026-05-07T09:30:00.000000Z', false, false, false, NULL, NULL, NULL, NULL, NULL, NULL, '[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"}]', 6, '2026-05-04T09:30:00.000000Z');
INSERT INTO public.slices VALUES ('_system', 2, 'de94ba89c999a1f3ec922ee7731c953e94db4519d4abb6e60b6805799a98c059', '\x0a37a734737e738f27a592991e7c6482eccb4eff2001257a958ee4c3aa8e335c', 0, 0, '2026-12-01T06:38:13.803745Z', '2026-05-04T09:30:00.000000Z', NULL, NULL);
INSERT INTO public.slices VALUES ('agent-ada', 6, '4f9124c53afa1b9de04403fa5cb2ccfec13ab86aac8ffd4cded7187d70103b87', '\x694c250e92426c254b54c3f6765e074b8c99cd545de16ec44968d64a23cba884', 2, 37, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', NULL, NULL);
INSERT INTO public.slices VALUES ('shared', 6, 'b34348bba323a4b0ab1d3f77506aac334c1e5abad0860038f883a2b29f8750b0', '\x24a881d17ecfa0d13058ce058d39eba702eed5009d286b271b47ec748375ce2c', 1, 14, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', NULL, NULL);
INSERT INTO public.slices VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 1, 'ec67d8cb66836048adde8451d8f0272a7efd861f607d16ace9faf35473f6a400', '\xa7c651e8bb318b669935956f5e73299b78c45863e8b6bd9549b421a266801452', 1, 10, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', NULL, NULL);
INSERT INTO public.terms VALUES ('agent-ada', '--05-04', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', '1', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', '2026', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', '2026-05', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', '2026-05-04', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', '2301', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'a', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'ada', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'build', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy', 1, 2, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/1', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/target', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'is', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'of', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'rollback', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'target', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', 'the', 1, 1, 18);
INSERT INTO public.terms VALUES ('agent-ada', '--05-04', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', '2', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', '2026', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', '2026-05', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', '2026-05-04', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', '2301', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'a', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'ada', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'build', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy', 2, 2, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/2', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/target', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'is', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'of', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'rollback', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'target', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'the', 2, 1, 19);
INSERT INTO public.terms VALUES ('agent-ada', 'then', 2, 1, 19);
INSERT INTO public.terms VALUES ('shared', '--05-04', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', '2026', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', '2026-05', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', '2026-05-04', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'ada', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'ann', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'call', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'monday', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'move', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'on', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'on-call', 3, 1, 14);
INSERT INTO public.terms VALUES ('shared', 'oncal', 3, 2, 14);
INSERT INTO public.terms VALUES ('shared', 'to', 3, 1, 14);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', '--05-04', 1, 1, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', '2026', 1, 1, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', '2026-05', 1, 1, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', '2026-05-04', 1, 1, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'ada', 1, 1, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'ann', 1, 2, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'for', 1, 1, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'note', 1, 1, 10);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'onli', 1, 1, 10);
INSERT INTO public.tokens VALUES ('_system', '00000000000000000000000002', 'agent', 'ada', '[]', false, false, '[]', 'd64b93c9f1b60eb338e5cb415d6a36bd920edd0e9b36f7ea5c730d0e10ff147f', '2026-05-04T09:30:00.000000Z', NULL, NULL, NULL);
ALTER TABLE ONLY public.agent_acts
    ADD CONSTRAINT agent_acts_pkey PRIMARY KEY (slice, id);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (slice, id);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.aliases
    ADD CONSTRAINT aliases_pkey PRIMARY KEY (slice, alias);
ALTER TABLE ONLY public.cards
    ADD CONSTRAINT cards_pkey PRIMARY KEY (slice, proposal, place);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (slice, team, channel);
ALTER TABLE ONLY public.erased
    ADD CONSTRAINT erased_pkey PRIMARY KEY (slice, mark);
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (slice, id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (slice, seq);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (slice, id);
ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (slice, principal, request_id);
ALTER TABLE ONLY public.keeper_lease
    ADD CONSTRAINT keeper_lease_pkey PRIMARY KEY (slice, name);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (slice, target, slug);
ALTER TABLE ONLY public.mounts
    ADD CONSTRAINT mounts_pkey PRIMARY KEY (slice, mount);
ALTER TABLE ONLY public.neighbours
    ADD CONSTRAINT neighbours_pkey PRIMARY KEY (slice, doc);
ALTER TABLE ONLY public.page_versions
    ADD CONSTRAINT page_versions_pkey PRIMARY KEY (slice, slug, version);
ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_pkey PRIMARY KEY (slice, slug);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (slice, team, "user");
ALTER TABLE ONLY public.policy
    ADD CONSTRAINT policy_pkey PRIMARY KEY (slice, name);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_pkey PRIMARY KEY (slice, id);
ALTER TABLE ONLY public.slices
    ADD CONSTRAINT slices_pkey PRIMARY KEY (slice);
ALTER TABLE ONLY public.terms
    ADD CONSTRAINT terms_pkey PRIMARY KEY (slice, term, doc);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (slice, id);
ALTER TABLE ONLY public.vectors
    ADD CONSTRAINT vectors_pkey PRIMARY KEY (slice, doc, event_id, passage);
CREATE INDEX erasures_open ON public.erasures USING btree (slice, state) WHERE (state <> 'scrubbed'::text);
CREATE UNIQUE INDEX events_by_id ON public.events USING btree (slice, event_id);
CREATE INDEX events_by_token ON public.events USING btree (slice, token) WHERE (token IS NOT NULL);
CREATE INDEX grants_by_agent ON public.grants USING btree (slice, agent, id);
CREATE INDEX grants_by_writer ON public.grants USING btree (slice, agent, writer_key);
CREATE INDEX idempotency_by_time ON public.idempotency USING btree (slice, at);
CREATE INDEX idempotency_by_turn ON public.idempotency USING btree (slice, agent, turn);
CREATE INDEX links_by_page ON public.links USING btree (slice, slug);
CREATE INDEX neighbours_by_after ON public.neighbours USING btree (slice, after) WHERE (after IS NOT NULL);
CREATE INDEX neighbours_by_before ON public.neighbours USING btree (slice, before, doc);
CREATE INDEX neighbours_by_folder ON public.neighbours USING btree (slice, folder, doc);
CREATE INDEX page_versions_by_time ON public.page_versions USING btree (slice, at);
CREATE INDEX pages_by_agent ON public.pages USING btree (slice, agent);
CREATE UNIQUE INDEX pages_by_doc ON public.pages USING btree (slice, doc);
CREATE INDEX pages_by_title ON public.pages USING btree (slice, title_key);
CREATE INDEX pages_deleted ON public.pages USING btree (slice, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX pages_to_embed ON public.pages USING btree (slice, doc) WHERE ((embedded IS NULL) AND (deleted_at IS NULL));
CREATE INDEX proposals_by_agent ON public.proposals USING btree (slice, agent, id);
CREATE INDEX proposals_by_change ON public.proposals USING btree (slice, changed);
CREATE INDEX proposals_by_digest ON public.proposals USING btree (slice, digest);
CREATE INDEX proposals_by_requester ON public.proposals USING btree (slice, requester, id);
CREATE INDEX proposals_by_turn ON public.proposals USING btree (slice, agent, turn);
CREATE INDEX proposals_waiting ON public.proposals USING btree (slice, expires_at) WHERE (state = ANY (ARRAY['draft'::text, 'pending'::text]));
CREATE INDEX proposals_with_text ON public.proposals USING btree (slice, state, changed_at) WHERE (pages <> '[]'::text);
CREATE INDEX terms_by_doc ON public.terms USING btree (slice, doc);
ALTER TABLE public.agent_acts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.aliases ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_adds ON public.agent_acts FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.agents FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.aliases FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.cards FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.channels FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.erased FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.erasures FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.events FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.grants FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.idempotency FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.keeper_lease FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.links FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.mounts FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.neighbours FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.page_versions FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.pages FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.people FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.policy FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.proposals FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.slices FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.terms FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.tokens FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.vectors FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.agent_acts FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.agents FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.aliases FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.cards FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.channels FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.erased FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.erasures FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.events FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK (((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)) AND (payload IS NULL) AND (salt IS NULL)));
CREATE POLICY app_changes ON public.grants FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.idempotency FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.keeper_lease FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.links FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.mounts FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.neighbours FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.page_versions FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.pages FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.people FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.policy FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.proposals FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.slices FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.terms FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.tokens FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.vectors FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.agent_acts FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.agents FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.aliases FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.cards FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.channels FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.erased FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.erasures FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.events FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.grants FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.idempotency FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.keeper_lease FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.links FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.mounts FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.neighbours FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.page_versions FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.pages FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.people FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.policy FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.proposals FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.slices FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.terms FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.tokens FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.vectors FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_reads ON public.agent_acts FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.agents FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.aliases FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.cards FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.channels FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.erased FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.erasures FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.events FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.grants FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.idempotency FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.keeper_lease FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.links FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.mounts FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.neighbours FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.page_versions FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.pages FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.people FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.policy FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.proposals FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.slices FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.terms FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.tokens FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
CREATE POLICY app_reads ON public.vectors FOR SELECT TO sliceway_app USING (((slice = ANY (( SELECT string_to_array(current_setting('sliceway.reads'::text, true), ','::text) AS string_to_array)::text[])) OR (slice ~~ ANY (( SELECT array_agg((replace("left"(told.told, '-1'::integer), '_'::text, '\_'::text) || '%'::text)) AS array_agg
   FROM unnest(string_to_array(current_setting('sliceway.reads'::text, true), ','::text)) told(told)
  WHERE (told.told ~~ '%*'::text))::text[]))));
ALTER TABLE public.cards ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.channels ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.erased ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.erasures ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.keeper_lease ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.links ENABLE ROW LEVEL SECURITY;
CREATE POLICY maintenance ON public.agent_acts TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.agents TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.aliases TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.cards TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.channels TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.erased TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.erasures TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.events TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.grants TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.idempotency TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.keeper_lease TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.links TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.mounts TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.neighbours TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.page_versions TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.pages TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.people TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.policy TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.proposals TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.slices TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.terms TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.tokens TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.vectors TO sliceway_maintenance USING (true) WITH CHECK (true);
ALTER TABLE public.mounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.neighbours ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.page_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.people ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.policy ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.proposals ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.slices ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.vectors ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA public TO sliceway_app;
GRANT USAGE ON SCHEMA public TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tokens TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tokens TO sliceway_maintenance;
REVOKE ALL ON FUNCTION public.sliceway_token(of_slice text, token_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sliceway_token(of_slice text, token_id text) TO sliceway_app;
GRANT ALL ON FUNCTION public.sliceway_token(of_slice text, token_id text) TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent_acts TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent_acts TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agents TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agents TO sliceway_maintenance;
GRANT SELECT ON TABLE public.alembic_version TO sliceway_app;
GRANT SELECT ON TABLE public.alembic_version TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.aliases TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.aliases TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.channels TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.channels TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erased TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erased TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasures TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasures TO sliceway_maintenance;
GRANT SELECT,INSERT ON TABLE public.events TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events TO sliceway_maintenance;
GRANT UPDATE(payload) ON TABLE public.events TO sliceway_app;
GRANT UPDATE(salt) ON TABLE public.events TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.grants TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.grants TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.keeper_lease TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.keeper_lease TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.links TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.links TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mounts TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mounts TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.neighbours TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.neighbours TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.page_versions TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.page_versions TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.pages TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.pages TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.people TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.people TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.policy TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.policy TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.proposals TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.proposals TO sliceway_maintenance;
GRANT SELECT,INSERT,UPDATE ON TABLE public.slices TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.slices TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.terms TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.terms TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vectors TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vectors TO sliceway_maintenance;
