import type { StorageBench } from './storage-bench.contract.js';

/** Adds sealed batches of one conversation to a tenant's outbox, each a millisecond longer due than the one before. */
export async function addWaitingRows(bench: StorageBench, tenantId: string, count: number): Promise<void> {
  await bench.look(
    `WITH owner AS (
       INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, 'ada', $3) ON CONFLICT DO NOTHING),
     thread AS (
       INSERT INTO conversations (tenant_id, id, user_id, thread_id, created_at, updated_at)
       VALUES ($1, gen_random_uuid(), 'ada', gen_random_uuid(), $3, $3) RETURNING id),
     made AS (
       INSERT INTO batches (tenant_id, id, conversation_id, user_id, state, message_count, sealed_at, accepted_at)
       SELECT $1, gen_random_uuid(), thread.id, 'ada', 'queued', 1, $3, $3 FROM thread, generate_series(1, $2::int)
       RETURNING id)
     INSERT INTO outbox (tenant_id, id, queue, batch_id, generation, available_at, rank_at, created_at)
     SELECT $1, gen_random_uuid(), 'extraction', id, 1, due, due, $3
       FROM (SELECT id, $3::timestamptz - row_number() OVER () * interval '1 millisecond' AS due FROM made) rows`,
    [tenantId, count, new Date(bench.clock.now())],
  );
}
