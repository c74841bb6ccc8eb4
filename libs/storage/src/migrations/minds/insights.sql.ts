import { TENANT } from '../sql/tenant-column.sql.js';
import type { MindPart } from './mind-part.js';

const TABLES = /* sql */ `
ALTER TABLE annals.memories
  DROP CONSTRAINT memories_deleted_by_check,
  -- 'ground': an insight lost everything that it rests on. 'eviction': a conversation has too many.
  ADD CONSTRAINT memories_deleted_by_check CHECK (deleted_by IN ('user', 'ttl', 'undo', 'ground', 'eviction'));

-- What a memory of type insight is beyond a memory (docs/reference/insights.md#stored-insights). Goes with it.
CREATE TABLE annals.insights (
  ${TENANT},
  memory_id uuid NOT NULL,
  user_id text NOT NULL,
  run_id uuid NOT NULL,
  -- The agent whose conversations it was made from: other agents do not see it.
  agent_id text,
  is_grounded boolean NOT NULL,
  tags text[] NOT NULL,
  -- The change of the user context that it suggests.
  field text CONSTRAINT insights_field_check CHECK (field IN ('tone', 'goals_add')),
  value text,
  PRIMARY KEY (tenant_id, memory_id),
  CONSTRAINT insights_tenant_id_memory_id_fkey
    FOREIGN KEY (tenant_id, memory_id) REFERENCES annals.memories (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX insights_by_user ON annals.insights (tenant_id, user_id, memory_id);

-- What an insight rests on. No key to it: that it is gone is what decides about the insight.
CREATE TABLE annals.insight_grounds (
  ${TENANT},
  memory_id uuid NOT NULL,
  ordinal smallint NOT NULL,
  user_id text NOT NULL,
  message_id uuid,
  ground_id uuid,
  PRIMARY KEY (tenant_id, memory_id, ordinal),
  CONSTRAINT insight_grounds_one_check CHECK (num_nonnulls(message_id, ground_id) = 1),
  CONSTRAINT insight_grounds_tenant_id_memory_id_fkey
    FOREIGN KEY (tenant_id, memory_id) REFERENCES annals.insights (tenant_id, memory_id) ON DELETE CASCADE
);
CREATE INDEX insight_grounds_by_message ON annals.insight_grounds (tenant_id, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX insight_grounds_by_ground ON annals.insight_grounds (tenant_id, ground_id) WHERE ground_id IS NOT NULL;
`;

const OF_USER = 't.user_id = of_user';

export const INSIGHTS: MindPart = {
  tables: TABLES,
  appPrivileges: {
    insight_grounds: 'SELECT, INSERT',
    insights: 'SELECT, INSERT',
  },
  definerPrivileges: {
    insight_grounds: 'SELECT (user_id, message_id)',
    insights: 'SELECT (user_id)',
  },
  erased: {
    insight_grounds: OF_USER,
    insights: OF_USER,
  },
  forgotten: {
    insight_grounds:
      't.message_id IN (SELECT m.id FROM annals.messages m WHERE m.tenant_id = own AND m.batch_id = ANY (batch_ids))',
  },
};
