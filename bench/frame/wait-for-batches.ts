import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchEnvironment } from './bench-environment.ts';

const POLL_MS = 100;
const TIMEOUT_MS = 120_000;
/** States of a batch before the measured stage is finished. */
const UNFINISHED = { extracted: ['queued', 'extracting'], done: ['queued', 'extracting', 'persisting'] };

/** Waits until every batch is extracted, or done; throws when one failed. */
export async function waitForBatches({ superuser }: BenchEnvironment, state: 'extracted' | 'done'): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const { rows } = await superuser.query<{ failed: number; left: number }>(
      `SELECT count(*) FILTER (WHERE state = 'failed')::int AS failed,
              count(*) FILTER (WHERE state = ANY ($1))::int AS left FROM batches`,
      [UNFINISHED[state]],
    );
    if (rows[0]!.failed > 0) throw new Error(`${rows[0]!.failed} batches failed.`);
    if (rows[0]!.left === 0) return;
    await sleep(POLL_MS);
  }
  throw new Error(`The batches were not ${state} within ${TIMEOUT_MS / 1_000} s.`);
}
