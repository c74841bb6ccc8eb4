import { TENANT } from '../sql/tenant-column.sql.js';
import type { MindPart } from './mind-part.js';

const TABLES = /* sql */ `
-- What a tenant's background work may still draw (docs/reference/energy.md). Thousandths of a unit, so that a refill of
-- any rate is whole numbers. Made with the first draw.
CREATE TABLE annals.energy_meters (
  ${TENANT},
  -- At updated_at; what was refilled since is added when it is read.
  level_milli bigint NOT NULL CONSTRAINT energy_meters_level_milli_check CHECK (level_milli >= 0),
  -- Of all time, so that a poll sees what was drawn since the last one.
  consumed_milli bigint NOT NULL DEFAULT 0,
  -- What apps drew on their last day: in this row, so that its lock guards their share too.
  app_day date,
  app_milli bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);

-- Written by draws alone, which lock the tenant’s meter first: it is deleted before these.
CREATE TABLE annals.energy_usage (
  ${TENANT},
  day date NOT NULL,
  kind text NOT NULL CONSTRAINT energy_usage_kind_check
    CHECK (kind IN ('insights', 'consolidation', 'summary', 'app_memory', 'app_compaction')),
  consumed_milli bigint NOT NULL CONSTRAINT energy_usage_consumed_milli_check CHECK (consumed_milli >= 0),
  calls integer NOT NULL,
  PRIMARY KEY (tenant_id, day, kind)
);

-- What an API key had seen of the sum when it last asked.
CREATE TABLE annals.energy_polls (
  ${TENANT},
  key_id uuid NOT NULL,
  consumed_milli bigint NOT NULL,
  polled_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key_id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);
`;

export const ENERGY: MindPart = {
  tables: TABLES,
  appPrivileges: {
    energy_meters: 'SELECT, INSERT, UPDATE',
    energy_usage: 'SELECT, INSERT, UPDATE',
    energy_polls: 'SELECT, INSERT, UPDATE',
  },
  definerPrivileges: { energy_meters: 'SELECT (level_milli, updated_at)' },
  functions: [
    {
      signature: 'lowest_energy(at timestamptz, capacity bigint, refill bigint)',
      body: /* sql */ `
      RETURNS bigint LANGUAGE sql STABLE AS $$
        SELECT coalesce(min(least(capacity, m.level_milli + floor(
                 greatest(0, extract(epoch FROM at - m.updated_at) * 1000) * refill / 3600000)::bigint)), capacity)
          FROM annals.energy_meters m
      $$`,
    },
  ],
};
