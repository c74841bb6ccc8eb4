import { allOf, type Tx } from '../database/transaction.js';

/** What a run asks for before a call. `day`: YYYY-MM-DD, UTC. */
export interface AllowanceRequest {
  readonly userId: string;
  readonly day: string;
  readonly pairs: number;
  readonly maxPairs: number;
  /** The most that the call can take. */
  readonly tokens: number;
  readonly maxTokens: number;
}

/**
 * Takes pairs of a user and tokens of a tenant from what the day allows, before a call is made: both or nothing. A call
 * that never comes back has used them up, so no restart passes a limit.
 */
export async function drawAllowance(
  tx: Tx,
  { userId, day, pairs, maxPairs, tokens, maxTokens }: AllowanceRequest,
): Promise<boolean> {
  if (pairs > maxPairs || tokens > maxTokens) return false;
  const drawn = await tx.execute(
    `INSERT INTO consolidation_tokens AS t (day, tokens) VALUES ($1, $2)
     ON CONFLICT (tenant_id) DO UPDATE
        SET tokens = CASE WHEN t.day = excluded.day THEN t.tokens ELSE 0 END + excluded.tokens, day = excluded.day
      WHERE CASE WHEN t.day = excluded.day THEN t.tokens ELSE 0 END + excluded.tokens <= $3`,
    [day, tokens, maxTokens],
  );
  if (drawn === 0) return false;
  const counted = await tx.execute(
    `INSERT INTO consolidation_pairs AS p (user_id, day, pairs) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, user_id) DO UPDATE
        SET pairs = CASE WHEN p.day = excluded.day THEN p.pairs ELSE 0 END + excluded.pairs, day = excluded.day
      WHERE CASE WHEN p.day = excluded.day THEN p.pairs ELSE 0 END + excluded.pairs <= $4`,
    [userId, day, pairs, maxPairs],
  );
  if (counted === 1) return true;
  await returnAllowance(tx, { userId, day, pairs: 0, tokens });
  return false;
}

/** Gives back what a call did not take: tokens, and pairs when nobody was asked about them. */
export async function returnAllowance(
  tx: Tx,
  { userId, day, pairs, tokens }: Pick<AllowanceRequest, 'userId' | 'day' | 'pairs' | 'tokens'>,
): Promise<void> {
  await allOf([
    tx.execute('UPDATE consolidation_tokens SET tokens = greatest(0, tokens - $2) WHERE day = $1', [day, tokens]),
    tx.execute('UPDATE consolidation_pairs SET pairs = greatest(0, pairs - $3) WHERE user_id = $1 AND day = $2', [
      userId,
      day,
      pairs,
    ]),
  ]);
}

/** Pairs that models were asked about for a user on a day. */
export async function readPairsOfDay(tx: Tx, userId: string, day: string): Promise<number> {
  const [row] = await tx.query<{ pairs: number }>(
    'SELECT pairs FROM consolidation_pairs WHERE user_id = $1 AND day = $2',
    [userId, day],
  );
  return row?.pairs ?? 0;
}
