import type { DrivenSystem } from './driven-system.fixture.js';

const INSTALL = /* sql */ `
  CREATE SCHEMA write_log;
  CREATE TABLE write_log.writes (relation text NOT NULL, operation text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE FUNCTION write_log.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    INSERT INTO write_log.writes (relation, operation) VALUES (TG_TABLE_NAME, lower(TG_OP));
    RETURN NULL;
  END $$;
  DO $$
  DECLARE found record;
  BEGIN
    FOR found IN SELECT c.oid::regclass AS relation FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'write_log') LOOP
      EXECUTE format('CREATE TRIGGER note_writes AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW
                      EXECUTE FUNCTION write_log.note()', found.relation);
    END LOOP;
  END $$;`;

/** Notes each row that is written from now on, in every table, also by transactions that undo what they wrote. */
export class WriteLog {
  private constructor(private readonly system: Pick<DrivenSystem, 'query'>) {}

  static async install(system: Pick<DrivenSystem, 'query'>): Promise<WriteLog> {
    await system.query(INSTALL);
    return new WriteLog(system);
  }

  /** Numbers of rows since the last call, as `table operation`. */
  async take(): Promise<Record<string, number>> {
    const rows = await this.system.query<{ what: string; count: number }>(
      `WITH taken AS (DELETE FROM write_log.writes RETURNING relation, operation)
       SELECT relation || ' ' || operation AS what, count(*)::int AS count FROM taken GROUP BY 1 ORDER BY 1`,
    );
    return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  }
}
