import type { ConsolidationAccepted, MindRun, Work } from '@annals/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../frame/load.ts';
import { call, type Ingested } from '../ingest.ts';

const POLL_MS = 200;
const TIMEOUT_MS = 15 * 60_000;
const PAGE = 200;

/**
 * Lets every mind think about all that was ingested, until nothing is left that is due: conversations end, so that they
 * are summarised, and each user's memories are consolidated.
 */
export async function runMinds(
  client: ApiClient,
  { conversationIds }: Ingested,
  userIds: readonly string[],
): Promise<void> {
  for (const id of conversationIds) await client.post(`/v1/conversations/${id}/end`, '{}');
  await waitForRest(client);
  for (const user_id of userIds) {
    const body = JSON.stringify({ user_id });
    const { run_id: runId } = await call<ConsolidationAccepted>(client.post('/v1/consolidation/runs', body));
    await poll(`the consolidation of ${user_id}`, async () => {
      const { state } = await call<MindRun>(client.get(`/v1/consolidation/runs/${runId}`));
      if (state === 'failed') throw new Error(`The consolidation of ${user_id} failed.`);
      return state !== 'queued' && state !== 'running';
    });
  }
  await waitForRest(client);
}

/** Until all background work is done, or is not due yet. */
function waitForRest(client: ApiClient): Promise<void> {
  return poll('the work of the minds', async () => {
    const work = await readAll<Work>(client, '/v1/admin/work');
    const failed = work.find(({ status }) => status === 'failed');
    if (failed) throw new Error(`Work of the kind ${failed.kind} failed: ${failed.failure_code}.`);
    return work.every(({ status, due_at }) => status !== 'in_flight' && Date.parse(due_at) > Date.now());
  });
}

/** All items of a list of the API. */
export async function readAll<T>(client: ApiClient, path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const separator = path.includes('?') ? '&' : '?';
    const list: { items: T[]; next_cursor: string | null } = await call(
      client.get(`${path}${separator}limit=${PAGE}${page}`),
    );
    items.push(...list.items);
    cursor = list.next_cursor;
  } while (cursor !== null);
  return items;
}

async function poll(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`After ${TIMEOUT_MS / 60_000} minutes: ${what} is not done.`);
    await sleep(POLL_MS);
  }
}
