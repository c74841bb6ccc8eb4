import { TENANT } from '../sql/tenant-column.sql.js';
import { widenCheck } from '../sql/widen-check.sql.js';
import type { MindPart } from './mind-part.js';

const HISTORY_EVENTS = [
  'ADD',
  'UPDATE',
  'DELETE',
  'MERGE',
  'LINK',
  'TTL',
  'RESTORE',
  'CONSENT',
  'UNDO',
  'QUARANTINE',
  'PURGE',
  'ERASE',
  'EVICT',
];
const CHANGE_EVENTS = ['created', 'updated', 'merged', 'deleted', 'soft_deleted', 'restored', 'evicted'];

const TABLES = /* sql */ `
ALTER TABLE annals.conversations
  ADD COLUMN kind text NOT NULL DEFAULT 'conversation',
  -- How often messages of it were hidden by a deletion, or came back: what moves the watermark of its summaries.
  ADD COLUMN deletions integer NOT NULL DEFAULT 0;
-- The rows that are there have the default: they are not read.
ALTER TABLE annals.conversations ADD CONSTRAINT conversations_kind_check
  CHECK (kind IN ('conversation', 'journal', 'document')) NOT VALID;
CREATE INDEX conversations_by_update ON annals.conversations (tenant_id, user_id, updated_at DESC);
-- Since when a turn is out of the index, being the oldest of too many.
ALTER TABLE annals.messages ADD COLUMN evicted_at timestamptz;

CREATE TABLE annals.summaries (
  ${TENANT},
  id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  tier text NOT NULL CHECK (tier IN ('L1', 'L2', 'L3')),
  -- Of the chunk or group, from 0.
  position integer NOT NULL,
  level text NOT NULL CHECK (level IN ('BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL')),
  kind text NOT NULL CHECK (kind IN ('conversation', 'journal', 'document')),
  -- Version of the prompt or of the rules.
  recipe text NOT NULL,
  from_seq integer NOT NULL,
  to_seq integer NOT NULL,
  covered_tokens integer NOT NULL,
  covered_messages integer NOT NULL,
  -- Of what it was made from; empty once it has lost a sentence, so that it is made again.
  fingerprint text NOT NULL,
  tokens integer NOT NULL,
  provider text NOT NULL,
  model text,
  -- Of the last message that it covers.
  last_said_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  replaced_by uuid,
  tombstoned_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES annals.conversations (tenant_id, id)
);
CREATE UNIQUE INDEX summaries_live ON annals.summaries (tenant_id, conversation_id, tier, position)
  WHERE tombstoned_at IS NULL;
CREATE INDEX summaries_by_conversation ON annals.summaries (tenant_id, conversation_id, id);

CREATE TABLE annals.summary_sentences (
  ${TENANT},
  summary_id uuid NOT NULL,
  ordinal integer NOT NULL,
  conversation_id uuid NOT NULL,
  content text NOT NULL,
  message_ids uuid[] NOT NULL,
  PRIMARY KEY (tenant_id, summary_id, ordinal),
  FOREIGN KEY (tenant_id, summary_id) REFERENCES annals.summaries (tenant_id, id)
);
CREATE INDEX summary_sentences_by_conversation ON annals.summary_sentences (tenant_id, conversation_id)
`;

const OF_USER =
  't.conversation_id IN (SELECT c.id FROM annals.conversations c WHERE c.tenant_id = own AND c.user_id = of_user)';
const OF_CONVERSATION = 't.conversation_id = of_conversation';

/** Summaries of conversations, and the eviction of what they cover. */
export const SUMMARIES: MindPart = {
  tables: [
    TABLES,
    widenCheck('history', 'event', HISTORY_EVENTS),
    widenCheck('change_log', 'event', CHANGE_EVENTS),
    widenCheck('memories', 'deleted_by', ['user', 'ttl', 'undo', 'eviction', 'ground']),
  ].join(';\n'),
  appPrivileges: {
    summary_sentences: 'SELECT, INSERT, DELETE',
    summaries: 'SELECT, INSERT, DELETE, UPDATE (fingerprint, replaced_by, tombstoned_at)',
  },
  appGrants: { messages: 'UPDATE (evicted_at)' },
  definerPrivileges: { summary_sentences: 'SELECT (conversation_id)', summaries: 'SELECT (conversation_id)' },
  erased: { summary_sentences: OF_USER, summaries: OF_USER },
  forgotten: { summary_sentences: OF_CONVERSATION, summaries: OF_CONVERSATION },
};
