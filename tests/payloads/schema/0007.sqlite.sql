BEGIN TRANSACTION;
CREATE TABLE agent_acts (
	slice TEXT NOT NULL, 
	id TEXT NOT NULL, 
	act TEXT NOT NULL, 
	mind TEXT NOT NULL, 
	agent TEXT, 
	into_agent TEXT, 
	details TEXT NOT NULL, 
	at TEXT NOT NULL, 
	done_at TEXT, 
	undone_at TEXT, 
	PRIMARY KEY (slice, id)
);
CREATE TABLE agents (
	slice TEXT NOT NULL, 
	id TEXT NOT NULL, 
	display TEXT, 
	source TEXT, 
	registered_at TEXT NOT NULL, 
	PRIMARY KEY (slice, id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, oldest VARCHAR(80), 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0007','0007 0007');
CREATE TABLE aliases (
	slice TEXT NOT NULL, 
	alias TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (slice, alias)
);
CREATE TABLE cards (
	slice TEXT NOT NULL, 
	proposal TEXT NOT NULL, 
	place TEXT NOT NULL, 
	holder TEXT NOT NULL, 
	until TEXT NOT NULL, 
	ref TEXT, 
	PRIMARY KEY (slice, proposal, place)
);
CREATE TABLE channels (
	slice TEXT NOT NULL, 
	team TEXT NOT NULL, 
	channel TEXT NOT NULL, 
	trust TEXT, 
	external BOOLEAN NOT NULL, 
	guests BOOLEAN NOT NULL, 
	fell_at TEXT, 
	at TEXT NOT NULL, 
	PRIMARY KEY (slice, team, channel)
);
CREATE TABLE erased (
	slice TEXT NOT NULL, 
	mark TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	PRIMARY KEY (slice, mark)
);
CREATE TABLE erasures (
	slice TEXT NOT NULL, 
	id TEXT NOT NULL, 
	what TEXT NOT NULL, 
	target TEXT NOT NULL, 
	state TEXT NOT NULL, 
	counts TEXT NOT NULL, 
	author TEXT NOT NULL, 
	begun_at TEXT NOT NULL, 
	done_at TEXT, 
	PRIMARY KEY (slice, id)
);
CREATE TABLE events (
	slice TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	at TEXT NOT NULL, 
	author TEXT NOT NULL, 
	prev TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	payload TEXT, 
	salt BLOB, token TEXT, 
	PRIMARY KEY (slice, seq)
);
INSERT INTO "events" VALUES('_system',1,'00000000000000000000000001','policy.changed','2026-05-04T09:30:00.000000Z','{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','a80588291b30c48477fdd79f3bd90b274f1bad700680fcf2b8df8c85138aa15a','91588f7406d0d7e35050163aea937bb3ec0781553afc7b607413e99382f68b14','{"about":{"fields":["managers","teams"],"source":"set","version":1,"version_before":0},"rows":[{"key":{"name":"teams"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1\"]"},"table":"policy"},{"key":{"name":"managers"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1:UMAX\",\"UMIA\"]"},"table":"policy"},{"key":{"name":"version"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"1"},"table":"policy"}]}',X'AA12E4D0D90C8FF853B0C5FEDE22BF101AC1DF32E313656BB0A55608C6E7D6FB',NULL);
INSERT INTO "events" VALUES('_system',2,'00000000000000000000000003','token.created','2026-05-04T09:30:00.000000Z','{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}','91588f7406d0d7e35050163aea937bb3ec0781553afc7b607413e99382f68b14','93b80db09effe1e50e1ec503787959aa9586d5fd2e28e60ca6d92b93deaf9cb7','48684459f1f1bc68e9eee07f9ab4c2d135235fe4a1d011cb91b77a7aaead062f','{"about":{"agent":"ada","kind":"agent","token":"00000000000000000000000002"},"rows":[{"key":{"id":"00000000000000000000000002"},"set":{"acts_for":false,"agent":"ada","created_at":"2026-05-04T09:30:00.000000Z","decides":false,"expires_at":null,"hash":"d64b93c9f1b60eb338e5cb415d6a36bd920edd0e9b36f7ea5c730d0e10ff147f","kind":"agent","revoked_at":null,"rotated_at":null,"slices":"[]","teams":"[]"},"table":"tokens"}]}',X'4C451CE34655419D047DDE2B0B31C2220E5829B847762D465F4670EDCC7DB4AB',NULL);
INSERT INTO "events" VALUES('agent-ada',1,'00000000000000000000000004','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','bdbd853e91f8ac3f7686f8358658e6af3c03fe1d8c31b6cfadab4ed2f2534828','33100fd67368d0fbcd13b9cff0fa3a7a86989c80fe79a0071cde309230500c08','{"about":{"action":"store","slug":"deploy/1","version":1},"page":{"content":"Build 2300 is the rollback target.","tags":[],"title":"deploy/1"}}',X'F6B58EAA356FD61C15B3C90C5ADB5A587E2B19996D089ABDFB563308A9444488',NULL);
INSERT INTO "events" VALUES('agent-ada',2,'00000000000000000000000005','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','33100fd67368d0fbcd13b9cff0fa3a7a86989c80fe79a0071cde309230500c08','7e3cf77dafedbb9f00fa97db21eaef0b990086af01d503bff5df86a38b06a62c','594f6feb27a7974855c7826f123f513dfa38f0334e399e6c7e2fec7f5d21c9b3','{"about":{"action":"store","slug":"deploy/2","version":1},"page":{"content":"Then: Build 2300 is the rollback target.","tags":[],"title":"deploy/2"}}',X'D42F55601AFCE68D74DDBA173AC7B0FCF1ABCFFF3B23D8E7CE635707C947D3E4',NULL);
INSERT INTO "events" VALUES('agent-ada',3,'00000000000000000000000006','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','594f6feb27a7974855c7826f123f513dfa38f0334e399e6c7e2fec7f5d21c9b3','1a286c6055896a7b686dbbcd9f3965d8c0d8adc4177d025e30f6472c92d53fe6','3c273e6bb316bcc93d93342e14fc0bb639caf9e9c27a0a68eadb3f381640584c','{"about":{"action":"replace","slug":"deploy/1","version":2},"page":{"content":"Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/1"}}',X'768AFF6D63DDF41C26EF24BA74E19AA753CD2CCA510B4EFC3E0696D222F42AA0',NULL);
INSERT INTO "events" VALUES('agent-ada',4,'00000000000000000000000007','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','3c273e6bb316bcc93d93342e14fc0bb639caf9e9c27a0a68eadb3f381640584c','ab73c51bf79f6af48abaf4ea4f518576133a57afad40383b9a1cdae15461ef67','92f68bc0407bcb2c906b334e0379d669f8d3b4c2028284a8203ab2777d0dfb2e','{"about":{"action":"replace","slug":"deploy/2","version":2},"page":{"content":"Then: Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/2"}}',X'595645221DC088B1C15DB0B6F50E41F396E3A18D50C6F3B19E2DEC6C4C7C030F',NULL);
INSERT INTO "events" VALUES('agent-ada',5,'00000000000000000000000008','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','92f68bc0407bcb2c906b334e0379d669f8d3b4c2028284a8203ab2777d0dfb2e','cdb59d4e583ba5924ce7396fca65740c46fd1d4ac5bc7533e2ecb2199cb4d78e','d92f91d57a2d5033f6bb173308c4c328ceb9b9af4b83078cba4c7f2ea3ac642a','{"about":{"action":"store","slug":"gone","version":1},"page":{"content":"It was here.","tags":[],"title":"gone"}}',X'AB42B56569650CCEF5C91756802A06963887D62948793DB0A1FAFE55C0D250F5',NULL);
INSERT INTO "events" VALUES('agent-ada',6,'00000000000000000000000009','page.deleted','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','d92f91d57a2d5033f6bb173308c4c328ceb9b9af4b83078cba4c7f2ea3ac642a','1b651679b868cfbcde3919d3f6ce63ae2c9120dbb4303272cd8c390b7fc85547','b641e19cb5c04737e9143afb76452fb2df5f8eb1342af7f6939d3bc548a2e97a','{"about":{"action":"delete","slug":"gone","version":2}}',X'87CF4E74A1ACDE41A6E212881E9258F4A7E5A9523C8F588D0AB488D06B5F8FC0',NULL);
INSERT INTO "events" VALUES('shared',1,'0000000000000000000000000B','proposal.asked','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','44b322e4d9260c5768625846c0c368615f817c5d5cf6c2c4d86e337d7cf5564c','818fc416e942097b45b65f5ff9ffe5afebe9e3f653fbb8a41e77152c0cee7a4d','{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000A","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"oncall\"}]","digest":"244e978a19de7995d07824539d71b743fe8ba2189dedcce14909e34d2430cede","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"oncall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}',X'C4080D5F9A33FDD6F798227684DB53D7FFC8B2C3A85E665EE786B5743C8EB581',NULL);
INSERT INTO "events" VALUES('shared',2,'0000000000000000000000000C','proposal.approve','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}','818fc416e942097b45b65f5ff9ffe5afebe9e3f653fbb8a41e77152c0cee7a4d','7f8dd7c21f93818e899664358b8a753fc2ddac493e9a97330cf4dbfd13abcbb1','efa25549651be8484a746d7823598873586c1fc1f6d9b306d015da5e939b4ee0','{"about":{"after":"applied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000A","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"approve\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"applied\"}]","revision":2,"state":"applied"},"table":"proposals"}]}',X'E33251A8725601C323564E2294C0518253D5BE61BFF2795A61746AF020FFC886',NULL);
INSERT INTO "events" VALUES('shared',3,'0000000000000000000000000D','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','efa25549651be8484a746d7823598873586c1fc1f6d9b306d015da5e939b4ee0','fdeb5469f312e489108fd86edf7d9ebb33a06aaaa54f512900bbf48f0740b643','d4d93022ab1747f5b2fc5c25a724c4603cec65a1c851234070d164877c6a1e76','{"about":{"action":"store","proposal":"0000000000000000000000000A","slug":"oncall","version":1},"approver":{"name":"Mia","team":"T1","user":"UMIA"},"page":{"content":"On-call moves to Mondays.","tags":[],"title":"oncall"}}',X'108C1C1A2A2C125D843BD4872E64ADC4AA5B267929114FBBE4A44F03F1048BB2',NULL);
INSERT INTO "events" VALUES('shared',4,'0000000000000000000000000F','proposal.asked','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','d4d93022ab1747f5b2fc5c25a724c4603cec65a1c851234070d164877c6a1e76','d89e7775337ce959ce35a1903eed06b13f52ac0e6824bbcb935833ff88f06bed','03b12fbebcd49825325e982a0418d2acbbdf4dfc7896cb320787e39b46419456','{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000E","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"offcall\"}]","digest":"face0bed1c24d8498784dc8949a719a0c89af5e13b6bd8ee6ddefaacab127107","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"offcall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}',X'08962459E01C8EAC13D352747E4D964A838FE38585D3798466A7A5D25F3C2A4B',NULL);
INSERT INTO "events" VALUES('shared',5,'0000000000000000000000000G','proposal.deny','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}','03b12fbebcd49825325e982a0418d2acbbdf4dfc7896cb320787e39b46419456','a46b9c21fdb21c2b376beb8e64ea3e834abe6d33def2e8ee549f3fdbe6d1ba34','530cbc6af675ad14fa9679f2de9b6ff55216d062d11aea0be890c86c0e2eb1f2','{"about":{"after":"denied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000E","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"deny\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"denied\"}]","revision":2,"state":"denied"},"table":"proposals"}]}',X'4312984AA89E4D9AFB8FD9A846689F027432E1343975BBE5B3380BCF099BD405',NULL);
INSERT INTO "events" VALUES('shared',6,'0000000000000000000000000J','proposal.asked','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','530cbc6af675ad14fa9679f2de9b6ff55216d062d11aea0be890c86c0e2eb1f2','e3c25a4ba03431407255613499c7b527874b8e8f32a7ab7965a5224e55b5148d','5cdba8e6dc2bca2b57274de6083e3f5cf40b84efcbd8fd610667d05084344022','{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000H","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000H"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"waits\"}]","digest":"8fbbc1e84ea450f8cfd1fc06fb60a4956fcfaece91dd3e9e01474d5af4ac9bdf","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"waits\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}',X'01EF9115645065F111A64207D8542784A15DD81AC166C219BF4E70FB4F1965C0',NULL);
INSERT INTO "events" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda',1,'0000000000000000000000000K','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','bb8104b1ac93cc63f60944bd9a858102b0e5edabdb5f2d2be552ede109c6c879','f81311acf404f1dc5c6060f18ad07004b8ae008ecb89398974ccd54a77726c31','{"about":{"action":"store","slug":"note","version":1},"page":{"content":"Only for Ann.","tags":[],"title":"note"}}',X'912414FF2953B9824312F8983DC27F93EC517650859E17E96C31F3A5AC4884B7',NULL);
CREATE TABLE grants (
	slice TEXT NOT NULL, 
	id TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	writer_key TEXT NOT NULL, 
	writer TEXT NOT NULL, 
	surface TEXT NOT NULL, 
	team TEXT NOT NULL, 
	channel TEXT NOT NULL, 
	thread TEXT, 
	granted_by TEXT NOT NULL, 
	given_at TEXT NOT NULL, 
	until TEXT NOT NULL, 
	proposal TEXT NOT NULL, 
	ended_at TEXT, 
	ended_why TEXT, 
	PRIMARY KEY (slice, id)
);
CREATE TABLE idempotency (
	slice TEXT NOT NULL, 
	principal TEXT NOT NULL, 
	request_id TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	agent TEXT, 
	turn TEXT, 
	at TEXT NOT NULL, 
	PRIMARY KEY (slice, principal, request_id)
);
CREATE TABLE keeper_lease (
	slice TEXT NOT NULL, 
	name TEXT NOT NULL, 
	holder TEXT NOT NULL, 
	until TEXT NOT NULL, 
	PRIMARY KEY (slice, name)
);
CREATE TABLE links (
	slice TEXT NOT NULL, 
	target TEXT NOT NULL, 
	slug TEXT NOT NULL, 
	PRIMARY KEY (slice, target, slug)
)
 WITHOUT ROWID

;
INSERT INTO "links" VALUES('agent-ada','deploy/target','deploy/1');
INSERT INTO "links" VALUES('agent-ada','deploy/target','deploy/2');
CREATE TABLE mounts (
	slice TEXT NOT NULL, 
	mount TEXT NOT NULL, 
	folder TEXT NOT NULL, 
	at TEXT NOT NULL, 
	removed_at TEXT, 
	report TEXT, 
	PRIMARY KEY (slice, mount)
);
CREATE TABLE neighbours (
	slice TEXT NOT NULL, 
	doc INTEGER NOT NULL, 
	folder TEXT, 
	"after" TEXT, 
	"before" INTEGER, 
	PRIMARY KEY (slice, doc)
)
 WITHOUT ROWID

;
INSERT INTO "neighbours" VALUES('agent-ada',1,'deploy',NULL,NULL);
INSERT INTO "neighbours" VALUES('agent-ada',2,'deploy',NULL,1);
INSERT INTO "neighbours" VALUES('shared',3,NULL,NULL,NULL);
INSERT INTO "neighbours" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda',1,NULL,NULL,NULL);
CREATE TABLE page_versions (
	slice TEXT NOT NULL, 
	slug TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	title TEXT, 
	content TEXT, 
	summary TEXT, 
	tags TEXT NOT NULL, 
	kind TEXT, 
	"after" TEXT, 
	agent TEXT, 
	author TEXT NOT NULL, 
	approver TEXT, 
	at TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	undoes TEXT, 
	PRIMARY KEY (slice, slug, version)
);
INSERT INTO "page_versions" VALUES('agent-ada','deploy/1',1,'store','deploy/1','Build 2300 is the rollback target.',NULL,'[]',NULL,NULL,'ada','{"agent":"ada","surface":"local","token_id":null}',NULL,'2026-05-04T09:30:00.000000Z',1,'00000000000000000000000004',NULL);
INSERT INTO "page_versions" VALUES('agent-ada','deploy/2',1,'store','deploy/2','Then: Build 2300 is the rollback target.',NULL,'[]',NULL,NULL,'ada','{"agent":"ada","surface":"local","token_id":null}',NULL,'2026-05-04T09:30:00.000000Z',2,'00000000000000000000000005',NULL);
INSERT INTO "page_versions" VALUES('agent-ada','deploy/1',2,'replace','deploy/1','Build 2301 is the [[deploy/target]] of a rollback.',NULL,'[]',NULL,NULL,'ada','{"agent":"ada","surface":"local","token_id":null}',NULL,'2026-05-04T09:30:00.000000Z',3,'00000000000000000000000006',NULL);
INSERT INTO "page_versions" VALUES('agent-ada','deploy/2',2,'replace','deploy/2','Then: Build 2301 is the [[deploy/target]] of a rollback.',NULL,'[]',NULL,NULL,'ada','{"agent":"ada","surface":"local","token_id":null}',NULL,'2026-05-04T09:30:00.000000Z',4,'00000000000000000000000007',NULL);
INSERT INTO "page_versions" VALUES('agent-ada','gone',1,'store','gone','It was here.',NULL,'[]',NULL,NULL,'ada','{"agent":"ada","surface":"local","token_id":null}',NULL,'2026-05-04T09:30:00.000000Z',5,'00000000000000000000000008',NULL);
INSERT INTO "page_versions" VALUES('agent-ada','gone',2,'delete',NULL,NULL,NULL,'[]',NULL,NULL,'ada','{"agent":"ada","surface":"local","token_id":null}',NULL,'2026-05-04T09:30:00.000000Z',6,'00000000000000000000000009',NULL);
INSERT INTO "page_versions" VALUES('shared','oncall',1,'store','oncall','On-call moves to Mondays.',NULL,'[]',NULL,NULL,'ada','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','{"name":"Mia","team":"T1","user":"UMIA"}','2026-05-04T09:30:00.000000Z',3,'0000000000000000000000000D',NULL);
INSERT INTO "page_versions" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','note',1,'store','note','Only for Ann.',NULL,'[]',NULL,NULL,'ada','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}',NULL,'2026-05-04T09:30:00.000000Z',1,'0000000000000000000000000K',NULL);
CREATE TABLE pages (
	slice TEXT NOT NULL, 
	slug TEXT NOT NULL, 
	doc INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	title_key TEXT NOT NULL, 
	content TEXT NOT NULL, 
	summary TEXT, 
	tags TEXT NOT NULL, 
	kind TEXT, 
	"after" TEXT, 
	agent TEXT, 
	behalf TEXT, 
	author TEXT NOT NULL, 
	approver TEXT, 
	terms INTEGER NOT NULL, 
	created_at TEXT NOT NULL, 
	updated_at TEXT NOT NULL, 
	event_id TEXT NOT NULL, 
	deleted_at TEXT, embedded INTEGER, 
	PRIMARY KEY (slice, slug)
);
INSERT INTO "pages" VALUES('agent-ada','deploy/1',1,2,'deploy/1','deploy/1','Build 2301 is the [[deploy/target]] of a rollback.',NULL,'[]',NULL,NULL,'ada',NULL,'{"agent":"ada","surface":"local","token_id":null}',NULL,18,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','00000000000000000000000006',NULL,NULL);
INSERT INTO "pages" VALUES('agent-ada','deploy/2',2,2,'deploy/2','deploy/2','Then: Build 2301 is the [[deploy/target]] of a rollback.',NULL,'[]',NULL,NULL,'ada',NULL,'{"agent":"ada","surface":"local","token_id":null}',NULL,19,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','00000000000000000000000007',NULL,NULL);
INSERT INTO "pages" VALUES('agent-ada','gone',5,2,'gone','gone','It was here.',NULL,'[]',NULL,NULL,'ada',NULL,'{"agent":"ada","surface":"local","token_id":null}',NULL,0,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','00000000000000000000000009','2026-05-04T09:30:00.000000Z',NULL);
INSERT INTO "pages" VALUES('shared','oncall',3,1,'oncall','oncall','On-call moves to Mondays.',NULL,'[]',NULL,NULL,'ada','["T1","UANN"]','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','{"name":"Mia","team":"T1","user":"UMIA"}',14,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','0000000000000000000000000D',NULL,NULL);
INSERT INTO "pages" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','note',1,1,'note','note','Only for Ann.',NULL,'[]',NULL,NULL,'ada','["T1","UANN"]','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}',NULL,10,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','0000000000000000000000000K',NULL,NULL);
CREATE TABLE people (
	slice TEXT NOT NULL, 
	team TEXT NOT NULL, 
	user TEXT NOT NULL, 
	gone_at TEXT, 
	at TEXT NOT NULL, 
	PRIMARY KEY (slice, team, user)
);
CREATE TABLE policy (
	slice TEXT NOT NULL, 
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	source TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (slice, name)
);
INSERT INTO "policy" VALUES('_system','teams','["T1"]','set','2026-05-04T09:30:00.000000Z');
INSERT INTO "policy" VALUES('_system','managers','["T1:UMAX","UMIA"]','set','2026-05-04T09:30:00.000000Z');
INSERT INTO "policy" VALUES('_system','version','1','set','2026-05-04T09:30:00.000000Z');
CREATE TABLE proposals (
	slice TEXT NOT NULL, 
	id TEXT NOT NULL, 
	destination TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	op TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	requester TEXT, 
	requested_by TEXT, 
	origin TEXT NOT NULL, 
	author TEXT NOT NULL, 
	thread TEXT NOT NULL, 
	pages TEXT NOT NULL, 
	diff TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	created_at TEXT NOT NULL, 
	expires_at TEXT NOT NULL, 
	asked_before BOOLEAN NOT NULL, 
	quiet BOOLEAN NOT NULL, 
	raised BOOLEAN NOT NULL, 
	superseded_by TEXT, 
	decided_by TEXT, 
	decided_at TEXT, 
	reason TEXT, 
	grant_id TEXT, 
	turn TEXT, 
	history TEXT NOT NULL, 
	changed INTEGER NOT NULL, 
	changed_at TEXT NOT NULL, 
	PRIMARY KEY (slice, id)
);
INSERT INTO "proposals" VALUES('shared','0000000000000000000000000A','shared',2,'applied','write','ada','user-uann--tys7zvlxxgg4jsyhr3kyycucda','{"name":"Ann","team":"T1","user":"UANN"}','{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','T1/C1/1.1','[{"base_version":null,"content":"On-call moves to Mondays.","slug":"oncall","tags":[]}]','[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"oncall"}]','244e978a19de7995d07824539d71b743fe8ba2189dedcce14909e34d2430cede','2026-05-04T09:30:00.000000Z','2026-05-07T09:30:00.000000Z',0,0,0,NULL,'{"name":"Mia","team":"T1","user":"UMIA"}','2026-05-04T09:30:00.000000Z',NULL,NULL,NULL,'[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"approve","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"applied"}]',2,'2026-05-04T09:30:00.000000Z');
INSERT INTO "proposals" VALUES('shared','0000000000000000000000000E','shared',2,'denied','write','ada','user-uann--tys7zvlxxgg4jsyhr3kyycucda','{"name":"Ann","team":"T1","user":"UANN"}','{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','T1/C1/1.1','[{"base_version":null,"content":"On-call moves to Mondays.","slug":"offcall","tags":[]}]','[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"offcall"}]','face0bed1c24d8498784dc8949a719a0c89af5e13b6bd8ee6ddefaacab127107','2026-05-04T09:30:00.000000Z','2026-05-07T09:30:00.000000Z',0,0,0,NULL,'{"name":"Mia","team":"T1","user":"UMIA"}','2026-05-04T09:30:00.000000Z',NULL,NULL,NULL,'[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"deny","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"denied"}]',5,'2026-05-04T09:30:00.000000Z');
INSERT INTO "proposals" VALUES('shared','0000000000000000000000000H','shared',1,'pending','write','ada','user-uann--tys7zvlxxgg4jsyhr3kyycucda','{"name":"Ann","team":"T1","user":"UANN"}','{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','T1/C1/1.1','[{"base_version":null,"content":"On-call moves to Mondays.","slug":"waits","tags":[]}]','[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"waits"}]','8fbbc1e84ea450f8cfd1fc06fb60a4956fcfaece91dd3e9e01474d5af4ac9bdf','2026-05-04T09:30:00.000000Z','2026-05-07T09:30:00.000000Z',0,0,0,NULL,NULL,NULL,NULL,NULL,NULL,'[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"}]',6,'2026-05-04T09:30:00.000000Z');
CREATE TABLE slices (
	slice TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	head TEXT NOT NULL, 
	"key" BLOB NOT NULL, 
	docs INTEGER NOT NULL, 
	length INTEGER NOT NULL, 
	created_at TEXT NOT NULL, 
	updated_at TEXT NOT NULL, embedder TEXT, vectors TEXT, 
	PRIMARY KEY (slice)
);
INSERT INTO "slices" VALUES('_system',2,'48684459f1f1bc68e9eee07f9ab4c2d135235fe4a1d011cb91b77a7aaead062f',X'E98C56C62A4789F2E0A264257FC06AA0C431106FAB4AB26D90A046F78395DC95',0,0,'2026-12-01T06:38:12.519799Z','2026-05-04T09:30:00.000000Z',NULL,NULL);
INSERT INTO "slices" VALUES('agent-ada',6,'b641e19cb5c04737e9143afb76452fb2df5f8eb1342af7f6939d3bc548a2e97a',X'008A3FE48783FE5D7D58C92835774B9F6CF480C7E1B123AE90E46BBDFC561805',2,37,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z',NULL,NULL);
INSERT INTO "slices" VALUES('shared',6,'5cdba8e6dc2bca2b57274de6083e3f5cf40b84efcbd8fd610667d05084344022',X'B4AC57866E8AB3D1B8776AFA1858683BAA52A5151D57BF40C955708B6EA7B5BF',1,14,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z',NULL,NULL);
INSERT INTO "slices" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda',1,'f81311acf404f1dc5c6060f18ad07004b8ae008ecb89398974ccd54a77726c31',X'02F44B0BF152DA12C2FD86E2DB3CE2F676068C9081F8671EE7BEA1DD7EBE7D9C',1,10,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z',NULL,NULL);
CREATE TABLE terms (
	slice TEXT NOT NULL, 
	term TEXT NOT NULL, 
	doc INTEGER NOT NULL, 
	tf INTEGER NOT NULL, 
	length INTEGER NOT NULL, 
	PRIMARY KEY (slice, term, doc)
)
 WITHOUT ROWID

;
INSERT INTO "terms" VALUES('agent-ada','--05-04',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','--05-04',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','1',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','2',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','2026',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','2026',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','2026-05',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','2026-05',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','2026-05-04',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','2026-05-04',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','2301',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','2301',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','a',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','a',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','ada',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','ada',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','build',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','build',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','deploy',1,2,18);
INSERT INTO "terms" VALUES('agent-ada','deploy',2,2,19);
INSERT INTO "terms" VALUES('agent-ada','deploy/1',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','deploy/2',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','deploy/target',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','deploy/target',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','is',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','is',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','of',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','of',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','rollback',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','rollback',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','target',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','target',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','the',1,1,18);
INSERT INTO "terms" VALUES('agent-ada','the',2,1,19);
INSERT INTO "terms" VALUES('agent-ada','then',2,1,19);
INSERT INTO "terms" VALUES('shared','--05-04',3,1,14);
INSERT INTO "terms" VALUES('shared','2026',3,1,14);
INSERT INTO "terms" VALUES('shared','2026-05',3,1,14);
INSERT INTO "terms" VALUES('shared','2026-05-04',3,1,14);
INSERT INTO "terms" VALUES('shared','ada',3,1,14);
INSERT INTO "terms" VALUES('shared','ann',3,1,14);
INSERT INTO "terms" VALUES('shared','call',3,1,14);
INSERT INTO "terms" VALUES('shared','monday',3,1,14);
INSERT INTO "terms" VALUES('shared','move',3,1,14);
INSERT INTO "terms" VALUES('shared','on',3,1,14);
INSERT INTO "terms" VALUES('shared','on-call',3,1,14);
INSERT INTO "terms" VALUES('shared','oncal',3,2,14);
INSERT INTO "terms" VALUES('shared','to',3,1,14);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','--05-04',1,1,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','2026',1,1,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','2026-05',1,1,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','2026-05-04',1,1,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','ada',1,1,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','ann',1,2,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','for',1,1,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','note',1,1,10);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','onli',1,1,10);
CREATE TABLE tokens (
	slice TEXT NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	agent TEXT, 
	teams TEXT NOT NULL, 
	acts_for BOOLEAN NOT NULL, 
	decides BOOLEAN NOT NULL, 
	slices TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	created_at TEXT NOT NULL, 
	expires_at TEXT, 
	rotated_at TEXT, 
	revoked_at TEXT, 
	PRIMARY KEY (slice, id)
);
INSERT INTO "tokens" VALUES('_system','00000000000000000000000002','agent','ada','[]',0,0,'[]','d64b93c9f1b60eb338e5cb415d6a36bd920edd0e9b36f7ea5c730d0e10ff147f','2026-05-04T09:30:00.000000Z',NULL,NULL,NULL);
CREATE TABLE vectors (
	slice TEXT NOT NULL, 
	doc INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	passage INTEGER NOT NULL, 
	model TEXT NOT NULL, 
	"before" INTEGER, 
	vector BLOB NOT NULL, 
	PRIMARY KEY (slice, doc, event_id, passage)
);
CREATE UNIQUE INDEX events_by_id ON events (slice, event_id);
CREATE INDEX grants_by_writer ON grants (slice, agent, writer_key);
CREATE INDEX idempotency_by_time ON idempotency (slice, at);
CREATE INDEX links_by_page ON links (slice, slug);
CREATE INDEX page_versions_by_time ON page_versions (slice, at);
CREATE INDEX pages_by_agent ON pages (slice, agent);
CREATE UNIQUE INDEX pages_by_doc ON pages (slice, doc);
CREATE INDEX pages_by_title ON pages (slice, title_key);
CREATE INDEX proposals_by_change ON proposals (slice, changed);
CREATE INDEX proposals_by_digest ON proposals (slice, digest);
CREATE INDEX proposals_waiting ON proposals (slice, expires_at) WHERE state IN ('draft', 'pending');
CREATE INDEX terms_by_doc ON terms (slice, doc);
CREATE INDEX events_by_token ON events (slice, token) WHERE token IS NOT NULL;
CREATE INDEX proposals_by_turn ON proposals (slice, agent, turn);
CREATE INDEX idempotency_by_turn ON idempotency (slice, agent, turn);
CREATE INDEX proposals_by_agent ON proposals (slice, agent, id);
CREATE INDEX proposals_by_requester ON proposals (slice, requester, id);
CREATE INDEX grants_by_agent ON grants (slice, agent, id);
CREATE INDEX neighbours_by_folder ON neighbours (slice, folder, doc);
CREATE INDEX neighbours_by_after ON neighbours (slice, "after") WHERE after IS NOT NULL;
CREATE INDEX neighbours_by_before ON neighbours (slice, "before", doc);
CREATE INDEX erasures_open ON erasures (slice, state) WHERE state <> 'scrubbed';
CREATE INDEX pages_deleted ON pages (slice, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX proposals_with_text ON proposals (slice, state, changed_at) WHERE pages <> '[]';
CREATE INDEX pages_to_embed ON pages (slice, doc) WHERE embedded IS NULL AND deleted_at IS NULL;
COMMIT;
