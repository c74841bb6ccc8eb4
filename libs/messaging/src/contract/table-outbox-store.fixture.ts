import type pg from 'pg';
import type { Lease, LeasedRow, LeaseOptions, OutboxRow, OutboxStore } from '../outbox/outbox-store.js';

const COLUMNS = 'id, tenant_id AS "tenantId", queue, batch_id AS "batchId", generation, trace';

/** The port on one small table. The real one is in storage; this one also counts how often a row was released. */
export class TableOutboxStore implements OutboxStore {
  constructor(private readonly pool: pg.Pool) {}

  async create(): Promise<void> {
    await this.pool.query(`
      CREATE TABLE IF NOT EXISTS test_outbox (
        id text PRIMARY KEY, tenant_id uuid NOT NULL, queue text NOT NULL, batch_id uuid NOT NULL,
        generation integer NOT NULL DEFAULT 1, trace text, available_at bigint NOT NULL DEFAULT 0,
        leased_until bigint NOT NULL DEFAULT 0, released_at bigint, checked_at bigint, releases integer NOT NULL DEFAULT 0)`);
    await this.pool.query('CREATE TABLE IF NOT EXISTS test_effect (batch_id uuid NOT NULL)');
    await this.pool.query('TRUNCATE test_outbox, test_effect');
  }

  async add(rows: readonly OutboxRow[], availableAt = 0): Promise<void> {
    await this.pool.query(
      `INSERT INTO test_outbox (id, tenant_id, queue, batch_id, generation, trace, available_at)
       SELECT r->>'id', (r->>'tenantId')::uuid, r->>'queue', (r->>'batchId')::uuid, (r->>'generation')::int, r->>'trace', $2
         FROM jsonb_array_elements($1) r`,
      [JSON.stringify(rows), availableAt],
    );
  }

  /** The commit of a worker: writes the effect and deletes the row, together and once per generation. */
  async finish(batchId: string, generation: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `WITH ended AS (DELETE FROM test_outbox WHERE batch_id = $1 AND generation = $2 RETURNING batch_id)
       INSERT INTO test_effect SELECT batch_id FROM ended`,
      [batchId, generation],
    );
    return rowCount === 1;
  }

  async readReleases(): Promise<number[]> {
    const { rows } = await this.pool.query<{ releases: number }>('SELECT releases FROM test_outbox ORDER BY id');
    return rows.map((row) => row.releases);
  }

  /** Number of effects, and of the batches that they belong to. */
  async countEffects(): Promise<{ effects: number; batches: number }> {
    const { rows } = await this.pool.query<{ effects: number; batches: number }>(
      'SELECT count(*)::int AS effects, count(DISTINCT batch_id)::int AS batches FROM test_effect',
    );
    return rows[0]!;
  }

  async lease({ now, limit, leaseMs }: LeaseOptions): Promise<Lease> {
    const { rows } = await this.pool.query<LeasedRow>(
      `UPDATE test_outbox SET leased_until = $1::bigint + $3::bigint WHERE id IN (
         SELECT id FROM test_outbox WHERE released_at IS NULL AND available_at <= $1 AND leased_until <= $1
          ORDER BY available_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}, 0 AS lane, false AS bulk`,
      [now, limit, leaseMs],
    );
    const next = await this.pool.query<{ due: string | null }>(
      'SELECT min(available_at) AS due FROM test_outbox WHERE released_at IS NULL AND available_at > $1',
      [now],
    );
    const due = next.rows[0]?.due ?? null;
    return { rows, nextDueAt: due === null ? null : Number(due) };
  }

  async markReleased(rows: readonly OutboxRow[], now: number): Promise<void> {
    await this.pool.query('UPDATE test_outbox SET released_at = $2, releases = releases + 1 WHERE id = ANY($1)', [
      rows.map((row) => row.id),
      now,
    ]);
  }

  async findSuspects(options: { now: number; releasedBefore: number; recheckAfterMs: number; limit: number }) {
    const { rows } = await this.pool.query<OutboxRow>(
      `UPDATE test_outbox SET checked_at = $1 WHERE id IN (
         SELECT id FROM test_outbox
          WHERE released_at <= $2 AND (checked_at IS NULL OR checked_at <= $1::bigint - $3::bigint)
          ORDER BY released_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [options.now, options.releasedBefore, options.recheckAfterMs, options.limit],
    );
    return rows;
  }

  async returnToWaiting(rows: readonly OutboxRow[]): Promise<number> {
    const { rowCount } = await this.pool.query(
      `UPDATE test_outbox o SET released_at = NULL, leased_until = 0, generation = o.generation + 1
         FROM unnest($1::text[], $2::int[]) AS r(id, generation)
        WHERE o.id = r.id AND o.generation = r.generation AND o.released_at IS NOT NULL`,
      [rows.map((row) => row.id), rows.map((row) => row.generation)],
    );
    return rowCount ?? 0;
  }
}
