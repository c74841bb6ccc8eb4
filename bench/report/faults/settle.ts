import { type AdminQuery, type PrivateServersSystem, waitUntil } from '@annals/testing';

/** A run's backlog may be long: the limit only ends what hangs. */
const WAIT = { timeoutMs: 15 * 60_000, intervalMs: 500 };

/** Waits until every batch has ended, no work is due, and every call is settled. */
export async function settle(system: PrivateServersSystem): Promise<void> {
  await Promise.all(system.processes.map((process) => process.waitReady()));
  await system.inspect(async (query) => {
    const isEmpty = async (from: string) => (await countRows(query, from)) === 0;
    await waitUntil(() => isEmpty(`batches WHERE state NOT IN ('done', 'failed')`), {
      describe: 'every batch has ended',
      ...WAIT,
    });
    await waitUntil(() => isEmpty(DUE), { describe: 'no work is due', ...WAIT });
    await waitUntil(() => isEmpty('reservations'), { describe: 'every call is settled', ...WAIT });
  });
}

const DUE = `work WHERE failed_at IS NULL AND (available_at < now() + interval '30 seconds' OR claimed_until IS NOT NULL)`;

async function countRows(query: AdminQuery, from: string): Promise<number> {
  return (await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`))[0]!.n;
}
