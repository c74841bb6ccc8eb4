import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 300;
/** Minds of these kinds show what they did at the end. */
const KINDS = new Set(['insights', 'summary', 'consolidation', 'app_memory']);
/** The key may not ask for it, or minds are switched off. */
const REFUSALS = new Set([403, 409]);
/** Far more than the rules need; a model may be slow, or the minds may run in no process. */
const MAX_WAIT_MS = 5 * 60_000;

/**
 * Ends each conversation, so that it is summarised, asks for a consolidation of each user's memories, and waits until the
 * minds have nothing left to do for these users that is due.
 * @returns {Promise<{runs: Map<string, object>, problem: string | null}>} the run of consolidation of each user, with its
 *   changes; `problem`: why there are none
 */
export async function runMinds(api, { userIds, conversationIds }, bar) {
  const runs = new Map();
  try {
    for (const id of conversationIds) await api.call('POST', `/v1/conversations/${id}/end`);
    for (const userId of userIds) {
      const { run_id: runId } = await api.call('POST', '/v1/consolidation/runs', { user_id: userId });
      runs.set(userId, runId);
    }
  } catch (error) {
    if (!REFUSALS.has(error.status)) throw error;
    return { runs: new Map(), problem: error.detail };
  }
  await waitForRest(api, userIds, bar);
  for (const [userId, runId] of runs) runs.set(userId, await api.call('GET', `/v1/consolidation/runs/${runId}`));
  return { runs, problem: null };
}

async function waitForRest(api, userIds, bar) {
  let most = 0;
  let thinking;
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const open = await countOpenWork(api, userIds);
    if (open > most) {
      most = open;
      thinking ??= bar.create(most, 0, { what: 'thinking  ' });
      thinking.setTotal(most);
    }
    thinking?.update(most - open);
    if (open === 0) return;
    if (performance.now() > deadline) {
      throw new Error('The minds did not come to an end. GET /v1/admin/work lists what waits, and why.');
    }
    await pause(POLL_MS);
  }
}

async function countOpenWork(api, userIds) {
  const counts = await Promise.all(userIds.map((userId) => countOpenWorkOf(api, userId)));
  return counts.reduce((sum, one) => sum + one, 0);
}

async function countOpenWorkOf(api, userId) {
  let open = 0;
  let cursor = '';
  do {
    const page = await api.call('GET', `/v1/admin/work?limit=200&user_id=${encodeURIComponent(userId)}${cursor}`);
    open += page.items.filter((work) => KINDS.has(work.kind) && isOpen(work, Date.now())).length;
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  return open;
}

/** Whether work is running or due: not what has failed, is deferred, or has its turn on another day. */
export function isOpen({ status, due_at: dueAt }, now) {
  return status === 'in_flight' || (status === 'waiting' && Date.parse(dueAt) <= now);
}
