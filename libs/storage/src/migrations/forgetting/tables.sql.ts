/** What was forgotten for good, and what is to be by itself (docs/reference/forgetting.md). */
export const FORGETTING_TABLES_SQL = /* sql */ `
-- When a message lost words for good: all of them, or some of its sentences. Its row stays, so that it is recognised when
-- it is sent again.
ALTER TABLE annals.messages ADD COLUMN forgotten_at timestamptz;
CREATE INDEX messages_forgotten ON annals.messages (tenant_id, content_hmac) WHERE forgotten_at IS NOT NULL;
-- When something of the user was last forgotten: what was read before must not be written any more.
ALTER TABLE annals.users ADD COLUMN forgotten_at timestamptz;
-- When one-time data is forgotten by itself: of a memory as a whole, of a message the sentences that have it.
ALTER TABLE annals.memories ADD COLUMN expires_at timestamptz;
CREATE INDEX memories_to_forget ON annals.memories (expires_at) WHERE expires_at IS NOT NULL;
ALTER TABLE annals.messages ADD COLUMN expires_at timestamptz;
CREATE INDEX messages_to_forget ON annals.messages (expires_at) WHERE expires_at IS NOT NULL`;
