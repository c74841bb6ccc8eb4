import type { Rng } from '@annals/domain';
import { MEMORY_PAIRS } from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConversation } from '../data/conversations.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { type ApiClient, runClosedLoop } from '../frame/load.ts';
import { waitForBatches } from '../frame/wait-for-batches.ts';

const CLIENTS = 16;
const PAIRS = 5;
const POLL_MS = 100;
const KINDS = ['insights', 'consolidation', 'summary'] as const;

/**
 * Work for all minds: conversations that ended, each of a user of its own, with facts that are stated twice, so that
 * each user has insights and a summary that are due, and a consolidation at its time of the day.
 */
export async function createBacklog(
  environment: BenchEnvironment,
  client: ApiClient,
  { rng, users, firstUser = 0 }: { readonly rng: Rng; readonly users: number; readonly firstUser?: number },
): Promise<void> {
  await runClosedLoop(CLIENTS, users, (each) => {
    const index = firstUser + each;
    const conversation = createConversation(rng, index, firstUser + users);
    const said = conversation.messages.concat(restatements(index));
    const messages = said.map((message, turn) => ({ ...message, id: `b${turn}` }));
    const body = { ...conversation, user_id: `backlog-${index}`, messages, end: true, flush: true, priority: 'bulk' };
    return client.post('/v1/conversations', JSON.stringify(body));
  });
  await waitForBatches(environment, 'done');
}

/** Makes consolidations due that wait for the time of the day that is their user's. */
export async function makeConsolidationsDue({ superuser }: BenchEnvironment): Promise<void> {
  await superuser.query(`UPDATE work SET available_at = now(), rank_at = now() WHERE kind = 'consolidation'`);
}

/** Pairs of memories that the rules cannot decide about, as messages. */
function restatements(index: number) {
  const pairs = Array.from({ length: PAIRS }, (_, turn) => MEMORY_PAIRS[(index * PAIRS + turn) % MEMORY_PAIRS.length]!);
  return pairs.flatMap(({ a, b }) => [a, b]).map((content) => ({ role: 'user' as const, content }));
}

/** What a kind of mind finished in a time. */
export interface MindWork {
  readonly kind: string;
  readonly runs: number;
  readonly failed: number;
  readonly calls: number;
  readonly energy: number;
}

/** The runs that ended since `from` (epoch ms). */
export async function readMindWork({ superuser }: BenchEnvironment, from: number): Promise<MindWork[]> {
  const { rows } = await superuser.query<MindWork>(
    `SELECT kind, count(*)::int AS runs, count(*) FILTER (WHERE state = 'failed')::int AS failed,
            sum(calls)::int AS calls, (sum(energy_milli) / 1000)::int AS energy
       FROM mind_runs WHERE ended_at >= $1 GROUP BY kind ORDER BY kind`,
    [new Date(from)],
  );
  return rows;
}

/**
 * Waits until each kind of mind has finished a run since `from`. The processes are not warm then: they finish several times
 * as many runs later, in the same share of the time.
 */
export async function waitForMinds(environment: BenchEnvironment, from: number): Promise<void> {
  while ((await readMindWork(environment, from)).length < KINDS.length) await sleep(POLL_MS);
}

/** @throws Error when the backlog of a kind is done: what was measured last was not beside all minds */
export async function requireBacklog({ superuser }: BenchEnvironment): Promise<void> {
  const { rows } = await superuser.query<{ kind: string }>(
    `SELECT DISTINCT kind FROM work WHERE failed_at IS NULL AND available_at <= now()`,
  );
  const missing = KINDS.filter((kind) => !rows.some((row) => row.kind === kind));
  if (missing.length > 0) throw new Error(`There was no work left for ${missing.join(', ')}: make a larger backlog.`);
}
