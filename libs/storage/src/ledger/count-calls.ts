import type { CallOperation } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';

/** Number of calls of an operation for a user on a UTC day (`YYYY-MM-DD`), failed ones included. */
export async function countCalls(
  tx: Tx,
  { userId, operation, day }: { readonly userId: string; readonly operation: CallOperation; readonly day: string },
): Promise<number> {
  const [row] = await tx.query<{ calls: number }>(
    'SELECT count(*)::integer AS calls FROM usage WHERE user_id = $1 AND operation = $2 AND day = $3',
    [userId, operation, day],
  );
  return row!.calls;
}
