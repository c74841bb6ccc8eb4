import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createFunctions } from './sql/definer-functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';

const TABLES_SQL = /* sql */ `
-- Raised by each transaction that adds vectors to stored memories (docs/reference/reconciliation.md#vectors-that-come-later).
ALTER TABLE annals.users ADD COLUMN vector_seq bigint NOT NULL DEFAULT 0;

-- The owner is subject to the policies of a table that forces them, and has no tenant here.
ALTER TABLE annals.relations NO FORCE ROW LEVEL SECURITY;
DELETE FROM annals.relations r
 USING (SELECT tenant_id, id, row_number() OVER (
                 PARTITION BY tenant_id, from_id, to_id ORDER BY strength DESC, created_at, id) AS place
          FROM annals.relations) ranked
 WHERE ranked.place > 1 AND r.tenant_id = ranked.tenant_id AND r.id = ranked.id;
ALTER TABLE annals.relations FORCE ROW LEVEL SECURITY;
ALTER TABLE annals.relations
  DROP CONSTRAINT relations_tenant_id_from_id_to_id_relation_type_key,
  ADD CONSTRAINT relations_tenant_id_from_id_to_id_key UNIQUE (tenant_id, from_id, to_id)`;

/** Processes of earlier releases insert a pair once for each type of relation, and would fail a batch with it. */
const SKIP_KNOWN_PAIR = {
  signature: 'skip_known_pair()',
  body: /* sql */ `
    RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      IF EXISTS (SELECT FROM annals.relations r
                  WHERE r.tenant_id = NEW.tenant_id AND r.from_id = NEW.from_id AND r.to_id = NEW.to_id) THEN
        RETURN NULL;
      END IF;
      RETURN NEW;
    END $$`,
};

const TRIGGER_SQL = /* sql */ `
CREATE TRIGGER skip_known_pair BEFORE INSERT ON annals.relations
  FOR EACH ROW EXECUTE FUNCTION annals.skip_known_pair()`;

/** One relation from one memory to another, the strongest (docs/reference/memory-model.md#relations-between-memories). */
export class RelateOnce1764100300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'relations']));
    await runner.query(TABLES_SQL);
    await runner.query(createFunctions([SKIP_KNOWN_PAIR]));
    await runner.query(TRIGGER_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
