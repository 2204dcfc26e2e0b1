BEGIN TRANSACTION;
CREATE TABLE agents (
	slice TEXT NOT NULL, 
	id TEXT NOT NULL, 
	display TEXT, 
	source TEXT, 
	registered_at TEXT NOT NULL, 
	PRIMARY KEY (slice, id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
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
INSERT INTO "events" VALUES('_system',1,'00000000000000000000000001','policy.changed','2026-05-04T09:30:00.000000Z','{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','97dd2758711bccb6754813e41bc15ea0cc2a04a79e643fba909568682e14f931','de0999794418a595dacef64acbabf5dab691cb50013bdff0f26ab57bbeedca41','{"about":{"fields":["managers","teams"],"source":"set","version":1,"version_before":0},"rows":[{"key":{"name":"teams"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1\"]"},"table":"policy"},{"key":{"name":"managers"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"[\"T1:UMAX\",\"UMIA\"]"},"table":"policy"},{"key":{"name":"version"},"set":{"at":"2026-05-04T09:30:00.000000Z","source":"set","value":"1"},"table":"policy"}]}',X'B888AE05CACFEA837120C66E62A25D1C7C34B6F321555DA50EE7A367829DA0C2',NULL);
INSERT INTO "events" VALUES('_system',2,'00000000000000000000000003','token.created','2026-05-04T09:30:00.000000Z','{"agent":null,"by":"operator","operator":"root","surface":"local","token_id":null}','de0999794418a595dacef64acbabf5dab691cb50013bdff0f26ab57bbeedca41','d2ac14cade82d5a4f84a94cff9913fae136efc6423ead7462b38e11f134f1b16','f73a864b206cb7ff1ba780c6c7e5f8cfafba68f1260140948c6ff27ddf0d8c21','{"about":{"agent":"ada","kind":"agent","token":"00000000000000000000000002"},"rows":[{"key":{"id":"00000000000000000000000002"},"set":{"acts_for":false,"agent":"ada","created_at":"2026-05-04T09:30:00.000000Z","decides":false,"expires_at":null,"hash":"d64b93c9f1b60eb338e5cb415d6a36bd920edd0e9b36f7ea5c730d0e10ff147f","kind":"agent","revoked_at":null,"rotated_at":null,"slices":"[]","teams":"[]"},"table":"tokens"}]}',X'11A8B565635CC9B33415F208BF2D28BEDC9BCB3270045F12E4B1AFDA9D2BAA86',NULL);
INSERT INTO "events" VALUES('agent-ada',1,'00000000000000000000000004','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','b8a3aaa2ba4cb3b1b7db826131d1138eb573844d298ab1d8d3b3ad0dc8c490ed','8e1a54aefd39d95fde622e5372e5290674d11d73cae325cad72ef96eefe8b575','{"about":{"action":"store","slug":"deploy/1","version":1},"page":{"content":"Build 2300 is the rollback target.","tags":[],"title":"deploy/1"}}',X'5C42E550E14966A083B1EED9BC7C51D50781A8654AFD1FB2B13B9256073E1521',NULL);
INSERT INTO "events" VALUES('agent-ada',2,'00000000000000000000000005','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','8e1a54aefd39d95fde622e5372e5290674d11d73cae325cad72ef96eefe8b575','832d79ba4f90d208c734ba19b161454daf6ae672425dc97aad6c99fc764c65e1','b08f0d40a4c625a1caadf34d40bbf1a43d1f0e3c36468ca3aadad0c1b702eec4','{"about":{"action":"store","slug":"deploy/2","version":1},"page":{"content":"Then: Build 2300 is the rollback target.","tags":[],"title":"deploy/2"}}',X'ED02BADC98229BE16E23BA695C4D1013966B01604BA83728C83CE469788BA0F1',NULL);
INSERT INTO "events" VALUES('agent-ada',3,'00000000000000000000000006','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','b08f0d40a4c625a1caadf34d40bbf1a43d1f0e3c36468ca3aadad0c1b702eec4','f3dddb3b16003ee054365f477df7c1b675008fc1a41399fb46b8803703d2e480','3cd03d519474997c60df2eca4a03a55db4a67c5ec6391c26480f3b15c21177fd','{"about":{"action":"replace","slug":"deploy/1","version":2},"page":{"content":"Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/1"}}',X'221A6735C53224063C95CBE45FA66A6B32F9F24E414B1E3347AC79987ABE91D3',NULL);
INSERT INTO "events" VALUES('agent-ada',4,'00000000000000000000000007','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','3cd03d519474997c60df2eca4a03a55db4a67c5ec6391c26480f3b15c21177fd','4771da7c4dee301588d47bf75e99f182226a41a570cbd17cfef88380cc39f257','ec6e143b5f2234480a284a56710699634be6841f61bc90f2a4497a207651cb77','{"about":{"action":"replace","slug":"deploy/2","version":2},"page":{"content":"Then: Build 2301 is the [[deploy/target]] of a rollback.","tags":[],"title":"deploy/2"}}',X'03307E8EDC9C90F1D8E1B0C434E502C904E4F49407C4E4CADCA907A212241AE6',NULL);
INSERT INTO "events" VALUES('agent-ada',5,'00000000000000000000000008','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','ec6e143b5f2234480a284a56710699634be6841f61bc90f2a4497a207651cb77','6e2e4e5c683d8f9cdcaeda4dcde6cffb6183bdff86d7af024b902385236ef3a3','a6748a7b98dd44aabeac8d628e4d2360993f798075539a1477d92ac96d18c632','{"about":{"action":"store","slug":"gone","version":1},"page":{"content":"It was here.","tags":[],"title":"gone"}}',X'30079E00584166606588A2B197DBDE41F2919D3D99C2E971E751DA6EAB394C9F',NULL);
INSERT INTO "events" VALUES('agent-ada',6,'00000000000000000000000009','page.deleted','2026-05-04T09:30:00.000000Z','{"agent":"ada","surface":"local","token_id":null}','a6748a7b98dd44aabeac8d628e4d2360993f798075539a1477d92ac96d18c632','bb9fa2d8d405d5457d5d30d0ddc3ff489043bc328301964539a8b5113593aed4','53a7d903bc4c7f49dc76a7b66858343a2483f09b9d523a197e39132dd2c7a2fa','{"about":{"action":"delete","slug":"gone","version":2}}',X'D73A9BB3615CDA5F7A3EC1EF72AE9BE12DD52A6E449F7AEFC7337AF3061BFB9B',NULL);
INSERT INTO "events" VALUES('shared',1,'0000000000000000000000000B','proposal.asked','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','460269eee703b8a60ee5c6599355b21dc670c318d3410bdaac6f8292e0709d29','af868a1c918cb9b9c4b064aaabf12760f8a3514714e082132ab7318a7fd7f1df','{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000A","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"oncall\"}]","digest":"a64b1e34de9fd997b1f24af60646544374cad28e32ee715e7a2c46f94a71896a","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"oncall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}',X'1C0F3A8155D96FA0A00A9D6D5DAC39C783E133E0E42AB8253D4AC6DD9EDBA4F2',NULL);
INSERT INTO "events" VALUES('shared',2,'0000000000000000000000000C','proposal.approve','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}','af868a1c918cb9b9c4b064aaabf12760f8a3514714e082132ab7318a7fd7f1df','a28236378e075a0ceb8ce72012a5e78f06817649ec708b83a863ada5d5fb820c','59901152c481c40ef8f781b1b53891faa831f21ab11a1ba8d1666a69ab877bb2','{"about":{"after":"applied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000A","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000A"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"approve\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"applied\"}]","revision":2,"state":"applied"},"table":"proposals"}]}',X'F9BECE5B94C6C3B53EB6921A6F27E21E1ABA1CD4A8205D7DD3A248D7502F8EFC',NULL);
INSERT INTO "events" VALUES('shared',3,'0000000000000000000000000D','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','59901152c481c40ef8f781b1b53891faa831f21ab11a1ba8d1666a69ab877bb2','c10f4d7d22e0db07924abdeedd9436598e20bded5630a39b29abf96cea1d13e9','b821675f0eac583fd139d8a4b4bf736f7e15d08e1035c620170e691be52eb533','{"about":{"action":"store","proposal":"0000000000000000000000000A","slug":"oncall","version":1},"approver":{"name":"Mia","team":"T1","user":"UMIA"},"page":{"content":"On-call moves to Mondays.","tags":[],"title":"oncall"}}',X'ED8BB5E76F63D70117431D104C92A25791CD8476AFF4233DA82D3385DC7C86BE',NULL);
INSERT INTO "events" VALUES('shared',4,'0000000000000000000000000F','proposal.asked','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','b821675f0eac583fd139d8a4b4bf736f7e15d08e1035c620170e691be52eb533','1927cf6c1656db09c475a2f1f69e4b21477ed062b12daf81f142cf7148cfa7d8','796579b6220187c36cd44ff2899fdbb52cd392260e416f12d4608cbd51f42888','{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000E","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"offcall\"}]","digest":"10aed955ebad759e0eaf187b4289a2edc160552b2890543d17d20ead9d0ccfa2","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"offcall\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}',X'47F46CD825F38B459FC189FA6D0DFA07BECE202396C9873CF3D455EB36D23DDC',NULL);
INSERT INTO "events" VALUES('shared',5,'0000000000000000000000000G','proposal.deny','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Mia","team":"T1","user":"UMIA"},"surface":"local","token_id":null}','796579b6220187c36cd44ff2899fdbb52cd392260e416f12d4608cbd51f42888','4b1da12647d390e222258b20756c5b6621333f17f2a26c894dca3af278b960cb','58fe66ebde5f3010ec9c378af0f75ae5a038feac89527ee755a5c9a3749a8122','{"about":{"after":"denied","agent":"ada","before":"pending","op":"write","proposal":"0000000000000000000000000E","revision":2,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000E"},"set":{"decided_at":"2026-05-04T09:30:00.000000Z","decided_by":"{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"}","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"},{\"act\":\"deny\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Mia\",\"team\":\"T1\",\"user\":\"UMIA\"},\"revision\":2,\"state\":\"denied\"}]","revision":2,"state":"denied"},"table":"proposals"}]}',X'E2AA17A7F69C615A3804ABE252D7ACCAA3D7C470A5185BCF85031BD5845C373F',NULL);
INSERT INTO "events" VALUES('shared',6,'0000000000000000000000000J','proposal.asked','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','58fe66ebde5f3010ec9c378af0f75ae5a038feac89527ee755a5c9a3749a8122','1af1bb19eb11ff7645381e98935fc1b3537625308aa8b9f49cf0ce72c7498528','ec699730a60d08560e2bb1e9190094dd69ff921b7e75dd0384911954e2a8c5a1','{"about":{"after":"pending","agent":"ada","op":"write","proposal":"0000000000000000000000000H","revision":1,"slice":"shared"},"rows":[{"key":{"id":"0000000000000000000000000H"},"set":{"agent":"ada","asked_before":false,"author":"{\"agent\":\"ada\",\"on_behalf_of\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"},\"surface\":\"slack\",\"token_id\":null}","created_at":"2026-05-04T09:30:00.000000Z","decided_at":null,"decided_by":null,"destination":"shared","diff":"[{\"before\":null,\"lines\":[\"@@ -0,0 +1 @@\",\"+On-call moves to Mondays.\"],\"slug\":\"waits\"}]","digest":"23a31b89a503e2ac9a50111c125062b750dc82929a818cb68cf7b542f49acd41","expires_at":"2026-05-07T09:30:00.000000Z","grant_id":null,"history":"[{\"act\":\"asked\",\"at\":\"2026-05-04T09:30:00.000000Z\",\"by\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"revision\":1,\"state\":\"pending\"}]","op":"write","origin":"{\"person\":{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"},\"place\":{\"channel\":\"C1\",\"surface\":\"slack\",\"team\":\"T1\",\"thread\":\"1.1\"}}","pages":"[{\"base_version\":null,\"content\":\"On-call moves to Mondays.\",\"slug\":\"waits\",\"tags\":[]}]","quiet":false,"raised":false,"reason":null,"requested_by":"{\"name\":\"Ann\",\"team\":\"T1\",\"user\":\"UANN\"}","requester":"user-uann--tys7zvlxxgg4jsyhr3kyycucda","revision":1,"state":"pending","superseded_by":null,"thread":"T1/C1/1.1","turn":null},"table":"proposals"}]}',X'CE58F0370DB2A7C3449A0687BADFC0BD43FDBB1C037217EFB6910501D7FB3DAD',NULL);
INSERT INTO "events" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda',1,'0000000000000000000000000K','page.written','2026-05-04T09:30:00.000000Z','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}','0000000000000000000000000000000000000000000000000000000000000000','b173df3cab339c07dbd338b54486fef83230ecac02fa0677780c6b8bef379923','61d3f9a961dba5c80385107f09984def7d922c4bf171fa65a0db52ab296f97bf','{"about":{"action":"store","slug":"note","version":1},"page":{"content":"Only for Ann.","tags":[],"title":"note"}}',X'71BB0DBDD96B757EFBB15148A99627F83779DA17D4419610F6C6EE8E8DA21E12',NULL);
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
	deleted_at TEXT, 
	PRIMARY KEY (slice, slug)
);
INSERT INTO "pages" VALUES('agent-ada','deploy/1',1,2,'deploy/1','deploy/1','Build 2301 is the [[deploy/target]] of a rollback.',NULL,'[]',NULL,NULL,'ada',NULL,'{"agent":"ada","surface":"local","token_id":null}',NULL,16,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','00000000000000000000000006',NULL);
INSERT INTO "pages" VALUES('agent-ada','deploy/2',2,2,'deploy/2','deploy/2','Then: Build 2301 is the [[deploy/target]] of a rollback.',NULL,'[]',NULL,NULL,'ada',NULL,'{"agent":"ada","surface":"local","token_id":null}',NULL,17,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','00000000000000000000000007',NULL);
INSERT INTO "pages" VALUES('agent-ada','gone',5,2,'gone','gone','It was here.',NULL,'[]',NULL,NULL,'ada',NULL,'{"agent":"ada","surface":"local","token_id":null}',NULL,0,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','00000000000000000000000009','2026-05-04T09:30:00.000000Z');
INSERT INTO "pages" VALUES('shared','oncall',3,1,'oncall','oncall','On-call moves to Mondays.',NULL,'[]',NULL,NULL,'ada','["T1","UANN"]','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','{"name":"Mia","team":"T1","user":"UMIA"}',11,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','0000000000000000000000000D',NULL);
INSERT INTO "pages" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','note',1,1,'note','note','Only for Ann.',NULL,'[]',NULL,NULL,'ada','["T1","UANN"]','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"DUANN","surface":"slack","team":"T1","thread":"9.9"},"surface":"slack","token_id":null}',NULL,8,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z','0000000000000000000000000K',NULL);
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
INSERT INTO "proposals" VALUES('shared','0000000000000000000000000A','shared',2,'applied','write','ada','user-uann--tys7zvlxxgg4jsyhr3kyycucda','{"name":"Ann","team":"T1","user":"UANN"}','{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','T1/C1/1.1','[{"base_version":null,"content":"On-call moves to Mondays.","slug":"oncall","tags":[]}]','[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"oncall"}]','a64b1e34de9fd997b1f24af60646544374cad28e32ee715e7a2c46f94a71896a','2026-05-04T09:30:00.000000Z','2026-05-07T09:30:00.000000Z',0,0,0,NULL,'{"name":"Mia","team":"T1","user":"UMIA"}','2026-05-04T09:30:00.000000Z',NULL,NULL,NULL,'[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"approve","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"applied"}]',2,'2026-05-04T09:30:00.000000Z');
INSERT INTO "proposals" VALUES('shared','0000000000000000000000000E','shared',2,'denied','write','ada','user-uann--tys7zvlxxgg4jsyhr3kyycucda','{"name":"Ann","team":"T1","user":"UANN"}','{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','T1/C1/1.1','[{"base_version":null,"content":"On-call moves to Mondays.","slug":"offcall","tags":[]}]','[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"offcall"}]','10aed955ebad759e0eaf187b4289a2edc160552b2890543d17d20ead9d0ccfa2','2026-05-04T09:30:00.000000Z','2026-05-07T09:30:00.000000Z',0,0,0,NULL,'{"name":"Mia","team":"T1","user":"UMIA"}','2026-05-04T09:30:00.000000Z',NULL,NULL,NULL,'[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"},{"act":"deny","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Mia","team":"T1","user":"UMIA"},"revision":2,"state":"denied"}]',5,'2026-05-04T09:30:00.000000Z');
INSERT INTO "proposals" VALUES('shared','0000000000000000000000000H','shared',1,'pending','write','ada','user-uann--tys7zvlxxgg4jsyhr3kyycucda','{"name":"Ann","team":"T1","user":"UANN"}','{"person":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"}}','{"agent":"ada","on_behalf_of":{"name":"Ann","team":"T1","user":"UANN"},"place":{"channel":"C1","surface":"slack","team":"T1","thread":"1.1"},"surface":"slack","token_id":null}','T1/C1/1.1','[{"base_version":null,"content":"On-call moves to Mondays.","slug":"waits","tags":[]}]','[{"before":null,"lines":["@@ -0,0 +1 @@","+On-call moves to Mondays."],"slug":"waits"}]','23a31b89a503e2ac9a50111c125062b750dc82929a818cb68cf7b542f49acd41','2026-05-04T09:30:00.000000Z','2026-05-07T09:30:00.000000Z',0,0,0,NULL,NULL,NULL,NULL,NULL,NULL,'[{"act":"asked","at":"2026-05-04T09:30:00.000000Z","by":{"name":"Ann","team":"T1","user":"UANN"},"revision":1,"state":"pending"}]',6,'2026-05-04T09:30:00.000000Z');
CREATE TABLE slices (
	slice TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	head TEXT NOT NULL, 
	"key" BLOB NOT NULL, 
	docs INTEGER NOT NULL, 
	length INTEGER NOT NULL, 
	created_at TEXT NOT NULL, 
	updated_at TEXT NOT NULL, 
	PRIMARY KEY (slice)
);
INSERT INTO "slices" VALUES('_system',2,'f73a864b206cb7ff1ba780c6c7e5f8cfafba68f1260140948c6ff27ddf0d8c21',X'8BFD62341949963AE577A6AC3C235A8E1184C6A4C8518263614BF9CB652FE0FB',0,0,'2026-12-01T06:40:26.135829Z','2026-05-04T09:30:00.000000Z');
INSERT INTO "slices" VALUES('agent-ada',6,'53a7d903bc4c7f49dc76a7b66858343a2483f09b9d523a197e39132dd2c7a2fa',X'0D5FCCA3C668E027EAE8AEC921724AFD880660AE246C8C29BE9E286EAD0B5824',2,33,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z');
INSERT INTO "slices" VALUES('shared',6,'ec699730a60d08560e2bb1e9190094dd69ff921b7e75dd0384911954e2a8c5a1',X'20905F013872762EE31FD3E662497656287FC0CE688F5F4225C5CE55CACC4803',1,11,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z');
INSERT INTO "slices" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda',1,'61d3f9a961dba5c80385107f09984def7d922c4bf171fa65a0db52ab296f97bf',X'5BC5ED16212DC43B0840A308F92D26C388E06F1B235CF31A62933BDBE0C2B354',1,8,'2026-05-04T09:30:00.000000Z','2026-05-04T09:30:00.000000Z');
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
INSERT INTO "terms" VALUES('agent-ada','1',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','2',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','2026',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','2026',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','2026-05-04',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','2026-05-04',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','2301',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','2301',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','a',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','a',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','ada',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','ada',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','build',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','build',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','deploy',1,2,16);
INSERT INTO "terms" VALUES('agent-ada','deploy',2,2,17);
INSERT INTO "terms" VALUES('agent-ada','deploy/1',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','deploy/2',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','deploy/target',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','deploy/target',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','is',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','is',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','of',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','of',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','rollback',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','rollback',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','target',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','target',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','the',1,1,16);
INSERT INTO "terms" VALUES('agent-ada','the',2,1,17);
INSERT INTO "terms" VALUES('agent-ada','then',2,1,17);
INSERT INTO "terms" VALUES('shared','2026',3,1,11);
INSERT INTO "terms" VALUES('shared','2026-05-04',3,1,11);
INSERT INTO "terms" VALUES('shared','ada',3,1,11);
INSERT INTO "terms" VALUES('shared','ann',3,1,11);
INSERT INTO "terms" VALUES('shared','call',3,1,11);
INSERT INTO "terms" VALUES('shared','monday',3,1,11);
INSERT INTO "terms" VALUES('shared','move',3,1,11);
INSERT INTO "terms" VALUES('shared','on',3,1,11);
INSERT INTO "terms" VALUES('shared','on-call',3,1,11);
INSERT INTO "terms" VALUES('shared','oncal',3,1,11);
INSERT INTO "terms" VALUES('shared','to',3,1,11);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','2026',1,1,8);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','2026-05-04',1,1,8);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','ada',1,1,8);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','ann',1,2,8);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','for',1,1,8);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','note',1,1,8);
INSERT INTO "terms" VALUES('user-uann--tys7zvlxxgg4jsyhr3kyycucda','onli',1,1,8);
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
COMMIT;
