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
CREATE TABLE public.agents (
    slice text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    display text COLLATE pg_catalog."C",
    source text COLLATE pg_catalog."C",
    registered_at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.agents FORCE ROW LEVEL SECURITY;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
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
    deleted_at text COLLATE pg_catalog."C"
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
    updated_at text NOT NULL COLLATE pg_catalog."C"
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
INSERT INTO public.alembic_version VALUES ('0003');
INSERT INTO public.events VALUES ('_system', 1, '00000000000000000000000001', 'policy.changed', '2026-05-04T09:30:00.000000Z', '{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', 'ccf74791d61231e8a92d0c956f8438b3c8ec2d565d5e0e52a421731c8c370713', '6cfc0e754db4113f1a7489e83c6646cd88486dd317a7ad711a38fa6b9ae69868', '{"about":{"fields":["managers","teams"],"source":"set","version":1,"version_before":0},"rows":[{"key":{"name":"teams"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1\"]"},"table":"policy"},{"key":{"name":"managers"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1:UMAX\",\"UMIA\"]"},"table":"policy"},{"key":{"name":"version"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"1"},"table":"policy"}]}', '\x5ceea0331028a23ddbac40ce0779e95b69cd829b81a9b2ce87e6f2144aa09d51', NULL);
INSERT INTO public.events VALUES ('_system', 2, '00000000000000000000000003', 'token.created', '2026-05-04T09:30:00.000000Z', '{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}', '6cfc0e754db4113f1a7489e83c6646cd88486dd317a7ad711a38fa6b9ae69868', '0db1ad0a289d2fb55190b21a5045c3727829c0b39aabc991cf7501d22ac0c14e', '01964468c7a40cc4ccef2de1244d31e9988437eb066050937d399d48bf076e8d', '{"about":{"agent":"ada","kind":"agent","token":"00000000000000000000000002"},"rows":[{"key":{"id":"00000000000000000000000002"},"set":{"acts_for":false,"agent":"ada","created_at":"2026-05-04T09:30:00.000000Z","decides":false,"expires_at":null,"hash":"d64b93c9f1b60eb338e5cb415d6a36bd920edd0e9b36f7ea5c730d0e10ff147f","kind":"agent","revoked_at":null,"rotated_at":null,"slices":"[]","teams":"[]"},"table":"tokens"}]}', '\x892fa87b471f881c2ce4e37bdf3b36636c5819b772448820c70ab3fd442febba', NULL);
INSERT INTO public.events VALUES ('agent-ada', 1, '00000000000000000000000004', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', 'f13819b1310c48be44d9e997b4aeff3572e329a911a3f915d3d712ebe91e323b', '798ca635b4a09196fc7fc4564d794d3831ee30b0e1921bb9a74bc0df65ae7869', '{"about":{"action":"store","slug":"deploy/1","version":1},"page":{"content":"Build 2300 is the rollback target.","tags":[],"title":"deploy/1"}}', '\xbfa5e67e5fcf59faea464f67d0f737fcc2eff2e49d6703d71ab45e6dbcacebb4', NULL);
INSERT INTO public.events VALUES ('agent-ada', 2, '00000000000000000000000005', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '798ca635b4a09196fc7fc4564d794d3831ee30b0e1921bb9a74bc0df65ae7869', '7642ee88c7f7c3f41f0096e94a12a886d43e77742dda2d79117f0be42117e3e6', 'b6f246b128aa23c62ec4c5ac152ce1eae86bb891f3517f32fe7cbf084ccfffb5', '{"about":{"action":"store","slug":"deploy/2","version":1},"page":{"content":"Then: Build 2300 is the rollback target.","tags":[],"title":"deploy/2"}}', '\x113dd23f06f8458acc85a21162c249ce8c9d7dd92112952e33f2f5bbc1c5b742', NULL);
INSERT INTO public.events VALUES ('agent-ada', 3, '00000000000000000000000006', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', 'b6f246b128aa23c62ec4c5ac152ce1eae86bb891f3517f32fe7cbf084ccfffb5', '387ff6b65b2e5ca544fc8a61025900ef9652bf7370704be0e20ceb628a7f5346', 'ce687f5a5e55fa7619b45bef8a21a25a5eefd3e1c5294262237c3c377ce981ed', '{"about":{"action":"replace","slug":"deploy/1","version":2},"page":{"content":"Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/1"}}', '\x85d43aee9e3cf958f54994b690cdf2b29cc9640433bafc5ed1b63cd98c0cfc59', NULL);
INSERT INTO public.events VALUES ('agent-ada', 4, '00000000000000000000000007', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', 'ce687f5a5e55fa7619b45bef8a21a25a5eefd3e1c5294262237c3c377ce981ed', '06db3813045db593e37352a8dbbb8e7c107997dd0634e5f8f77939e7007927ac', '0b2e625afabd2662f0fe8d94455f620ec1880c0e5387ea8e767d884234735471', '{"about":{"action":"replace","slug":"deploy/2","version":2},"page":{"content":"Then: Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/2"}}', '\x9ff9bf380677a2930d3076af477ecca9febd85e6809f41b521e31fb653408723', NULL);
INSERT INTO public.events VALUES ('agent-ada', 5, '00000000000000000000000008', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '0b2e625afabd2662f0fe8d94455f620ec1880c0e5387ea8e767d884234735471', '7510d71b4a91ed3005372215f31be17d49826c7b56a163dddebde0ca08a36a0d', '71c01f5aac495e359913d49c27e0588199ddac99181d779ebb153a1141f7df67', '{"about":{"action":"store","slug":"gone","version":1},"page":{"content":"It was here.","tags":[],"title":"gone"}}', '\xd9ab03b129ad797692bad3e35dc80f5814a69ca8a1e8b51f7487a696de29743c', NULL);
INSERT INTO public.events VALUES ('agent-ada', 6, '00000000000000000000000009', 'page.deleted', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","surface":"local","token_id":null}', '71c01f5aac495e359913d49c27e0588199ddac99181d779ebb153a1141f7df67', '13ca36875fe7dd401d9ab5073139a252c5245012f97057ccd3d2357c7e393a8e', 'ef1f519181418117d87b168029a83e7e7f0f46e93d1c61c85d3d34b7b2ac8241', '{"about":{"action":"delete","slug":"gone","version":2}}', '\x06d6af957b94158b78c93ea89847f68084c5b9098afb882b5e0b5b0fbcc1f7cb', NULL);
INSERT INTO public.events VALUES ('shared', 1, '0000000000000000000000000B', 'proposal.asked', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', '1bbc7822194736823a9132ab113e6f104f0c0e6170f005547f53534366e4c8fb', '1f81c9a97abae69ad6e9fdff2b3f7a9b8ab34563675142a8a6ee721e8dbe9fab', '{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000A","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"oncall\"}]","digest":"d5130b4ff25d1874241df73098a7fe3c3cf330b47c53ce7aafb113ce14a1ec65","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"oncall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}', '\xacabd4e043a928f0473e4c9dabf4537fa3d6141431a288b92017cae0081a000e', NULL);
INSERT INTO public.events VALUES ('shared', 2, '0000000000000000000000000C', 'proposal.approve', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}', '1f81c9a97abae69ad6e9fdff2b3f7a9b8ab34563675142a8a6ee721e8dbe9fab', '04bff7be10bac92c7fc60afe08bf9bb9ce3ca18c56266e121cd4b0eb7b7f9913', 'd25bae0b7abe7c0f5e616a50267c296dcbeb84cacb0afec25137478ee969d6f8', '{"about":{"after":"applied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000A","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"approve\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"applied\"}]","revision":2,"state":"applied"},"table":"proposals"}]}', '\x051fba9d0eeda150689f0c5bd06ccb0af739e3ec9008f61489ce11dda75c2950', NULL);
INSERT INTO public.events VALUES ('shared', 3, '0000000000000000000000000D', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'd25bae0b7abe7c0f5e616a50267c296dcbeb84cacb0afec25137478ee969d6f8', '492143a1e5a119999fd85e5deb4f9007091e6760868d363df60b46298200f815', '724c001462a2e7f1df9d2b11ce109d6061a460435ba715cfe390b64a25981a3b', '{"about":{"action":"store","proposal":"0000000000000000000000000A","slug":"oncall","version":1},"approver":{"name":"Mia","team":"T1","user":"UMIA"},"page":{"content":"On-call moves to Mondays.","tags":[],"title":"oncall"}}', '\x2e831fb36f8c1f5c8e5daa6fb5a406342e24c0a541c5f408f84b087f22bf1afb', NULL);
INSERT INTO public.events VALUES ('shared', 4, '0000000000000000000000000F', 'proposal.asked', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '724c001462a2e7f1df9d2b11ce109d6061a460435ba715cfe390b64a25981a3b', '59ca7605e9ab669e70657cc5edec303377792cb17bba0156193217c284947493', '4aee439de25af039a770c80e38ca17a96c4a91d663e2efd7294ad77b8e758d37', '{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000E","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"offcall\"}]","digest":"fe0f7458f5f53ff44ef2262cf7b83f983fec739cfd0174ee7858091f3fbb25e1","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"offcall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}', '\x08c3ba596beae2c84ebd121ba63378304981acc65bf2482fac6921fbc7289fe4', NULL);
INSERT INTO public.events VALUES ('shared', 5, '0000000000000000000000000G', 'proposal.deny', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}', '4aee439de25af039a770c80e38ca17a96c4a91d663e2efd7294ad77b8e758d37', '5da4a174524c111765476fafe62b91de2d45aa1542cf1480230bf8e8f1dfd745', 'f1d8095b5ebdf158641233f00a86263cabfdcbaa8ca84c07b500dac30e528c88', '{"about":{"after":"denied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000E","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"deny\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"denied\"}]","revision":2,"state":"denied"},"table":"proposals"}]}', '\xbce83e32b29a661c32970531369e36d6d1c754e9eb5741ef00539e5fc537bfa4', NULL);
INSERT INTO public.events VALUES ('shared', 6, '0000000000000000000000000J', 'proposal.asked', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'f1d8095b5ebdf158641233f00a86263cabfdcbaa8ca84c07b500dac30e528c88', '0d31834e92f59bd39fd69718737b20b1f5eb8aa64412c7669f90c297d22e7501', '40a59fa935264bcf6767105271ce2ce8bb5d2003f6e497ad8e187e4118d2a3cf', '{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000H","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000H"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"waits\"}]","digest":"21bb41fa5f71bd845508545693c3eb577fbe1dae59f72d39a62315825091f964","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"waits\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}', '\xdd08911ca476b3ba2705b62326be1fee541a89fe429be3d1b6ac8164794e65c9', NULL);
INSERT INTO public.events VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 1, '0000000000000000000000000K', 'page.written', '2026-05-04T09:30:00.000000Z', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}', '0000000000000000000000000000000000000000000000000000000000000000', 'f3c567cd7b9beb7d6d172f7d933837b90e9bcedfe1f8d79fdb4afe11647b5cf6', 'e0eee38132174bdb666557fdc3385f913cddc9cef06f36d6dd7ba8d6d596f244', '{"about":{"action":"store","slug":"note","version":1},"page":{"content":"Only for Ann.","tags":[],"title":"note"}}', '\xcfe90380d8e041a1f93c43aba4b565059c37869c1a3d789765324a8a449f09eb', NULL);
INSERT INTO public.links VALUES ('agent-ada', 'deploy/target', 'deploy/1');
INSERT INTO public.links VALUES ('agent-ada', 'deploy/target', 'deploy/2');
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/1', 1, 'store', 'deploy/1', 'Build 2300 is the rollback target.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 1, '00000000000000000000000004', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/2', 1, 'store', 'deploy/2', 'Then: Build 2300 is the rollback target.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 2, '00000000000000000000000005', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/1', 2, 'replace', 'deploy/1', 'Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 3, '00000000000000000000000006', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'deploy/2', 2, 'replace', 'deploy/2', 'Then: Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 4, '00000000000000000000000007', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'gone', 1, 'store', 'gone', 'It was here.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 5, '00000000000000000000000008', NULL);
INSERT INTO public.page_versions VALUES ('agent-ada', 'gone', 2, 'delete', NULL, NULL, NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","surface":"local","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 6, '00000000000000000000000009', NULL);
INSERT INTO public.page_versions VALUES ('shared', 'oncall', 1, 'store', 'oncall', 'On-call moves to Mondays.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '{"name":"Mia","team":"T1","user":"UMIA"}', '2026-05-04T09:30:00.000000Z', 3, '0000000000000000000000000D', NULL);
INSERT INTO public.page_versions VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'note', 1, 'store', 'note', 'Only for Ann.', NULL, '[]', NULL, NULL, 'ada', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}', NULL, '2026-05-04T09:30:00.000000Z', 1, '0000000000000000000000000K', NULL);
INSERT INTO public.pages VALUES ('agent-ada', 'deploy/1', 1, 2, 'deploy/1', 'deploy/1', 'Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', NULL, '{"agent":"ada","surface":"local","token_id":null}', NULL, 16, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '00000000000000000000000006', NULL);
INSERT INTO public.pages VALUES ('agent-ada', 'deploy/2', 2, 2, 'deploy/2', 'deploy/2', 'Then: Build 2301 is the [[deploy/target]] of a rollback.', NULL, '[]', NULL, NULL, 'ada', NULL, '{"agent":"ada","surface":"local","token_id":null}', NULL, 17, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '00000000000000000000000007', NULL);
INSERT INTO public.pages VALUES ('agent-ada', 'gone', 5, 2, 'gone', 'gone', 'It was here.', NULL, '[]', NULL, NULL, 'ada', NULL, '{"agent":"ada","surface":"local","token_id":null}', NULL, 0, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '00000000000000000000000009', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.pages VALUES ('shared', 'oncall', 3, 1, 'oncall', 'oncall', 'On-call moves to Mondays.', NULL, '[]', NULL, NULL, 'ada', '["T1","UANN"]', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', '{"name":"Mia","team":"T1","user":"UMIA"}', 11, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '0000000000000000000000000D', NULL);
INSERT INTO public.pages VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'note', 1, 1, 'note', 'note', 'Only for Ann.', NULL, '[]', NULL, NULL, 'ada', '["T1","UANN"]', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}', NULL, 8, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z', '0000000000000000000000000K', NULL);
INSERT INTO public.policy VALUES ('_system', 'teams', '["T1"]', 'set', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.policy VALUES ('_system', 'managers', '["T1:UMAX","UMIA"]', 'set', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.policy VALUES ('_system', 'version', '1', 'set', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.proposals VALUES ('shared', '0000000000000000000000000A', 'shared', 2, 'applied', 'write', 'ada', 'user-uann--tys7zvlxxgg4jsyhr3kyycucda', '{"name":"Ann","team":"T1","user":"UANN"}', '{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'T1/C1/1.1', '[{"base_version":null,"content":"On-call moves to Mondays.","slug":"oncall","tags":[]}]', '[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"oncall"}]', 'd5130b4ff25d1874241df73098a7fe3c3cf330b47c53ce7aafb113ce14a1ec65', '2026-05-04T09:30:00.000000Z', '2026-05-07T09:30:00.000000Z', false, false, false, NULL, '{"name":"Mia","team":"T1","user":"UMIA"}', '2026-05-04T09:30:00.000000Z', NULL, NULL, NULL, '[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"approve","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"applied"}]', 2, '2026-05-04T09:30:00.000000Z');
INSERT INTO public.proposals VALUES ('shared', '0000000000000000000000000E', 'shared', 2, 'denied', 'write', 'ada', 'user-uann--tys7zvlxxgg4jsyhr3kyycucda', '{"name":"Ann","team":"T1","user":"UANN"}', '{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'T1/C1/1.1', '[{"base_version":null,"content":"On-call moves to Mondays.","slug":"offcall","tags":[]}]', '[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"offcall"}]', 'fe0f7458f5f53ff44ef2262cf7b83f983fec739cfd0174ee7858091f3fbb25e1', '2026-05-04T09:30:00.000000Z', '2026-05-07T09:30:00.000000Z', false, false, false, NULL, '{"name":"Mia","team":"T1","user":"UMIA"}', '2026-05-04T09:30:00.000000Z', NULL, NULL, NULL, '[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"deny","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"denied"}]', 5, '2026-05-04T09:30:00.000000Z');
INSERT INTO public.proposals VALUES ('shared', '0000000000000000000000000H', 'shared', 1, 'pending', 'write', 'ada', 'user-uann--tys7zvlxxgg4jsyhr3kyycucda', '{"name":"Ann","team":"T1","user":"UANN"}', '{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}', '{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}', 'T1/C1/1.1', '[{"base_version":null,"content":"On-call moves to Mondays.","slug":"waits","tags":[]}]', '[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"waits"}]', '21bb41fa5f71bd845508545693c3eb577fbe1dae59f72d39a62315825091f964', '2026-05-04T09:30:00.000000Z', '2026-05-07T09:30:00.000000Z', false, false, false, NULL, NULL, NULL, NULL, NULL, NULL, '[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"}]', 6, '2026-05-04T09:30:00.000000Z');
INSERT INTO public.slices VALUES ('_system', 2, '01964468c7a40cc4ccef2de1244d31e9988437eb066050937d399d48bf076e8d', '\xd377ff2af1665c2a4ceb027eb69ab6ec8df961ec0ecf62f76425c0696f88aa97', 0, 0, '2026-12-01T06:40:27.451020Z', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.slices VALUES ('agent-ada', 6, 'ef1f519181418117d87b168029a83e7e7f0f46e93d1c61c85d3d34b7b2ac8241', '\xf87b67aeaa4cedf5ee8a9f7902ca3e94e3c67cc4283940d553da15066190a168', 2, 33, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.slices VALUES ('shared', 6, '40a59fa935264bcf6767105271ce2ce8bb5d2003f6e497ad8e187e4118d2a3cf', '\x1d56a74e9a9258343ba5dec088558a7b473f9b806856a7dca8aa62a7f4db1906', 1, 11, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.slices VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 1, 'e0eee38132174bdb666557fdc3385f913cddc9cef06f36d6dd7ba8d6d596f244', '\x9bd6ca2b3feca9e153f9038447bd2372bf00775af499bce6702b2d5e32d2b965', 1, 8, '2026-05-04T09:30:00.000000Z', '2026-05-04T09:30:00.000000Z');
INSERT INTO public.terms VALUES ('agent-ada', '1', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', '2026', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', '2026-05-04', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', '2301', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'a', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'ada', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'build', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy', 1, 2, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/1', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/target', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'is', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'of', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'rollback', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'target', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', 'the', 1, 1, 16);
INSERT INTO public.terms VALUES ('agent-ada', '2', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', '2026', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', '2026-05-04', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', '2301', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'a', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'ada', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'build', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy', 2, 2, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/2', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'deploy/target', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'is', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'of', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'rollback', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'target', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'the', 2, 1, 17);
INSERT INTO public.terms VALUES ('agent-ada', 'then', 2, 1, 17);
INSERT INTO public.terms VALUES ('shared', '2026', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', '2026-05-04', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'ada', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'ann', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'call', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'monday', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'move', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'on', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'on-call', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'oncal', 3, 1, 11);
INSERT INTO public.terms VALUES ('shared', 'to', 3, 1, 11);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', '2026', 1, 1, 8);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', '2026-05-04', 1, 1, 8);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'ada', 1, 1, 8);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'ann', 1, 2, 8);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'for', 1, 1, 8);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'note', 1, 1, 8);
INSERT INTO public.terms VALUES ('user-uann--tys7zvlxxgg4jsyhr3kyycucda', 'onli', 1, 1, 8);
INSERT INTO public.tokens VALUES ('_system', '00000000000000000000000002', 'agent', 'ada', '[]', false, false, '[]', 'd64b93c9f1b60eb338e5cb415d6a36bd920edd0e9b36f7ea5c730d0e10ff147f', '2026-05-04T09:30:00.000000Z', NULL, NULL, NULL);
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
CREATE UNIQUE INDEX events_by_id ON public.events USING btree (slice, event_id);
CREATE INDEX events_by_token ON public.events USING btree (slice, token) WHERE (token IS NOT NULL);
CREATE INDEX grants_by_agent ON public.grants USING btree (slice, agent, id);
CREATE INDEX grants_by_writer ON public.grants USING btree (slice, agent, writer_key);
CREATE INDEX idempotency_by_time ON public.idempotency USING btree (slice, at);
CREATE INDEX idempotency_by_turn ON public.idempotency USING btree (slice, agent, turn);
CREATE INDEX links_by_page ON public.links USING btree (slice, slug);
CREATE INDEX page_versions_by_time ON public.page_versions USING btree (slice, at);
CREATE INDEX pages_by_agent ON public.pages USING btree (slice, agent);
CREATE UNIQUE INDEX pages_by_doc ON public.pages USING btree (slice, doc);
CREATE INDEX pages_by_title ON public.pages USING btree (slice, title_key);
CREATE INDEX proposals_by_agent ON public.proposals USING btree (slice, agent, id);
CREATE INDEX proposals_by_change ON public.proposals USING btree (slice, changed);
CREATE INDEX proposals_by_digest ON public.proposals USING btree (slice, digest);
CREATE INDEX proposals_by_requester ON public.proposals USING btree (slice, requester, id);
CREATE INDEX proposals_by_turn ON public.proposals USING btree (slice, agent, turn);
CREATE INDEX proposals_waiting ON public.proposals USING btree (slice, expires_at) WHERE (state = ANY (ARRAY['draft'::text, 'pending'::text]));
CREATE INDEX terms_by_doc ON public.terms USING btree (slice, doc);
ALTER TABLE public.agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.aliases ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_adds ON public.agents FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.aliases FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.cards FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.channels FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.events FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.grants FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.idempotency FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.keeper_lease FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.links FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.page_versions FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.pages FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.people FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.policy FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.proposals FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.slices FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.terms FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_adds ON public.tokens FOR INSERT TO sliceway_app WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.agents FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.aliases FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.cards FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.channels FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.events FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.grants FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.idempotency FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.keeper_lease FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.links FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.page_versions FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.pages FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.people FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.policy FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.proposals FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.slices FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.terms FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_changes ON public.tokens FOR UPDATE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting))) WITH CHECK ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.agents FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.aliases FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.cards FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.channels FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.events FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.grants FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.idempotency FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.keeper_lease FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.links FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.page_versions FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.pages FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.people FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.policy FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.proposals FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.slices FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.terms FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
CREATE POLICY app_drops ON public.tokens FOR DELETE TO sliceway_app USING ((slice = ( SELECT current_setting('sliceway.writes'::text, true) AS current_setting)));
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
ALTER TABLE public.cards ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.channels ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.keeper_lease ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.links ENABLE ROW LEVEL SECURITY;
CREATE POLICY maintenance ON public.agents TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.aliases TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.cards TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.channels TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.events TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.grants TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.idempotency TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.keeper_lease TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.links TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.page_versions TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.pages TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.people TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.policy TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.proposals TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.slices TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.terms TO sliceway_maintenance USING (true) WITH CHECK (true);
CREATE POLICY maintenance ON public.tokens TO sliceway_maintenance USING (true) WITH CHECK (true);
ALTER TABLE public.page_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.people ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.policy ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.proposals ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.slices ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tokens ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA public TO sliceway_app;
GRANT USAGE ON SCHEMA public TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tokens TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tokens TO sliceway_maintenance;
REVOKE ALL ON FUNCTION public.sliceway_token(of_slice text, token_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sliceway_token(of_slice text, token_id text) TO sliceway_app;
GRANT ALL ON FUNCTION public.sliceway_token(of_slice text, token_id text) TO sliceway_maintenance;
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
GRANT SELECT,INSERT ON TABLE public.events TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.grants TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.grants TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.keeper_lease TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.keeper_lease TO sliceway_maintenance;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.links TO sliceway_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.links TO sliceway_maintenance;
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
