import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';

/**
 * A write that a caller names by a key of its own, so that it can be sent again
 * (docs/reference/api.md#idempotency-key).
 */
export interface IdempotentRequest {
  readonly route: string;
  readonly key: string;
  /** Keyed HMAC of method, path and body. */
  readonly requestHmac: Buffer;
}

/** `new`: carry on. `replay`: answer this. `conflict`: the key came with another request. `in_flight`: it still runs. */
export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'replay'; readonly status: number; readonly response: unknown }
  | { readonly state: 'conflict' }
  | { readonly state: 'in_flight' };

/**
 * Looks a key up and holds it until the transaction ends, so that the write and its answer become durable together. A
 * second request with the key meanwhile is told `in_flight`.
 */
export async function beginIdempotent(tx: Tx, request: IdempotentRequest): Promise<IdempotencyState> {
  const [lock] = await tx.query<{ held: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held',
    [`${tx.tenantId} ${request.route} ${request.key}`],
  );
  if (!lock!.held) return { state: 'in_flight' };
  const [row] = await tx.query<{ request_hmac: Buffer; status: number; response: unknown }>(
    'SELECT request_hmac, status, response FROM idempotency_keys WHERE route = $1 AND key = $2',
    [request.route, request.key],
  );
  if (!row) return { state: 'new' };
  if (!row.request_hmac.equals(request.requestHmac)) return { state: 'conflict' };
  return { state: 'replay', status: row.status, response: row.response };
}

/** Keeps an answer under its key. `userId` lets the answer be erased with the user. */
export async function storeIdempotent(
  tx: Tx,
  request: IdempotentRequest & { status: number; response: unknown; userId: string | null; now: number },
): Promise<void> {
  await tx.execute(
    `INSERT INTO idempotency_keys (route, key, request_hmac, status, response, user_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      request.route,
      request.key,
      request.requestHmac,
      request.status,
      JSON.stringify(request.response),
      request.userId,
      new Date(request.now),
    ],
  );
}

/** Forgets keys older than `before` (epoch ms) in every tenant; answers how many. */
export async function purgeIdempotencyKeys(database: Database, before: number): Promise<number> {
  const [row] = await database.callAcrossTenants<{ purge_idempotency_keys: number }>('purge_idempotency_keys($1)', [
    new Date(before),
  ]);
  return row!.purge_idempotency_keys;
}
