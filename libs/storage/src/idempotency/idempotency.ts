import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { IdempotencyKeyEntity } from '../entities/idempotency-key.entity.js';
import { ENDED_STATUS } from './end-answers.js';

/** A write that the caller's key makes repeatable (docs/reference/api.md#idempotency-key). */
export interface IdempotentRequest {
  readonly route: string;
  readonly key: string;
  /** Keyed HMAC of method, path and body. */
  readonly requestHmac: Buffer;
  /** What the key and the HMAC are under other secret keys that are accepted. */
  readonly accepted?: readonly { readonly key: string; readonly requestHmac: Buffer }[];
}

/**
 * `new`: run the request. `replay`: return this response. `conflict`: the key was used for another request.
 * `in_flight`: the first request is still running. `ended`: what it wrote was deleted, and its response with it.
 */
export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'replay'; readonly status: number; readonly response: unknown }
  | { readonly state: 'conflict' }
  | { readonly state: 'ended' }
  | { readonly state: 'in_flight' };

/**
 * Looks a key up and locks it until the transaction ends, so that the write and its response are committed together. A
 * second request with the key meanwhile gets `in_flight`.
 */
export async function beginIdempotent(tx: Tx, request: IdempotentRequest): Promise<IdempotencyState> {
  const candidates = [request, ...(request.accepted ?? [])];
  const keys = [...new Set(candidates.map(({ key }) => key))];
  const locks = await tx.query<{ held: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended(name, 0)) AS held FROM unnest($1::text[]) AS name',
    [keys.map((key) => `${tx.tenantId} ${request.route} ${key}`)],
  );
  if (!locks.every(({ held }) => held)) return { state: 'in_flight' };
  const [row] = await tx.query<Pick<IdempotencyKeyEntity, 'request_hmac' | 'status' | 'response'>>(
    'SELECT request_hmac, status, response FROM idempotency_keys WHERE route = $1 AND key = ANY ($2)',
    [request.route, keys],
  );
  if (!row) return { state: 'new' };
  if (!candidates.some(({ requestHmac }) => row.request_hmac.equals(requestHmac))) return { state: 'conflict' };
  if (row.status === ENDED_STATUS) return { state: 'ended' };
  return { state: 'replay', status: row.status, response: row.response };
}

/** Stores a response under its key. `userId` allows the response to be erased with the user. */
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

/** Deletes keys older than `before` (epoch ms) in every tenant. Returns how many were deleted. */
export async function purgeIdempotencyKeys(database: Database, before: number): Promise<number> {
  return database.callScalarAcrossTenants<number>('purge_idempotency_keys', [new Date(before)]);
}
