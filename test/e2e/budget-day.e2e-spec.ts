import type { Batch } from '@annals/contracts';
import {
  type AnnalsSystem,
  ApiClient,
  collectEvents,
  type FakeModels,
  startFakeModels,
  startSystem,
  waitForBatches,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { parseMarkedCall } from '../faults/marked-posts.js';

const DAY_MS = 86_400_000;
/** Deferred batches are resumed within this time after midnight (UTC). */
const SPREAD_MS = 60_000;
/** Covers the upper bound of one call, and the actual cost of a few calls. */
const LOW_MICRO_USD = 5_000;
const HIGH_MICRO_USD = 1_000_000;
const WAITING = 4;
/** The whole test has to run within one budget day: the processes use the system clock. */
const NEEDED_MS = 300_000;

describe('a daily budget', () => {
  let fake: FakeModels;
  let system: AnnalsSystem;
  let client: ApiClient;
  let posted = 0;
  let waiting: Batch[] = [];
  const explain = () => system.lastLines;

  beforeAll(async () => {
    await waitUntil(() => DAY_MS - (Date.now() % DAY_MS) > NEEDED_MS, {
      describe: 'enough of the day is left',
      timeoutMs: NEEDED_MS + 10_000,
      intervalMs: 1_000,
    });
    fake = await startFakeModels();
    const env = {
      MEMORY_LLM_PRIMARY: 'claude',
      MEMORY_LLM_CLAUDE_API_KEY: 'key-of-a-fake-claude',
      MEMORY_LLM_CLAUDE_BASE_URL: fake.anthropicUrl,
      MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
      MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
    };
    system = await startSystem({ env });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  }, NEEDED_MS + 120_000);
  afterAll(async () => {
    await system?.close();
    await fake?.close();
  });

  /** Posts a message as a batch of its own; its mark is `mark-<number>x`. */
  const post = async (): Promise<{ id: string; mark: string }> => {
    const mark = `mark-${++posted}x`;
    const messages = [{ id: mark, role: 'user' as const, content: `I collect items of ${mark}.` }];
    const body = { user_id: 'ada', thread_id: `thread-${posted}`, messages, flush: true };
    const { batch_ids } = await client.must('postConversation', { body });
    return { id: batch_ids[0]!, mark };
  };
  const getBatch = (id: string) => client.must('getBatch', { params: { id } });
  const waitUntilDecided = (id: string) =>
    waitUntil(
      async () => {
        const batch = await getBatch(id);
        return ['done', 'failed', 'deferred'].includes(batch.status) ? batch : undefined;
      },
      { describe: `batch ${id} is done, failed or deferred` },
    );
  /** A lowered budget takes effect in all processes within a second, and a nearly spent one only at the next call. */
  const postUntilRefused = async (): Promise<{ id: string; mark: string }> => {
    for (let tries = 0; tries < 100; tries += 1) {
      const accepted = await post();
      if ((await waitUntilDecided(accepted.id)).status !== 'done') return accepted;
    }
    throw new Error('The budget never refused a batch.');
  };
  const setBudget = (daily_limit_micro_usd: number | null) =>
    client.must('putBudget', { body: { daily_limit_micro_usd } });
  /** Extraction calls for the post with this mark; reconciliation calls for its memories do not count. */
  const callsOf = (mark: string) =>
    fake.journal.entries.filter(({ request }) => {
      const call = parseMarkedCall(request);
      return call.operation === 'extraction' && call.mark === mark;
    }).length;
  const markOf = ({ thread_id }: Batch) => `mark-${thread_id.replace('thread-', '')}x`;
  const isNextMidnight = (instant: string | null) => {
    const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    const until = Date.parse(instant ?? '');
    return until >= midnight && until <= midnight + SPREAD_MS;
  };

  it('allows calls while it is not spent, and reports their cost', async () => {
    const { id, mark } = await post();
    const [batch] = await waitUntilDone(client, [id], { explain });
    expect(batch!.cost_micro_usd).toBeGreaterThan(0);
    expect(callsOf(mark)).toBe(1);
    const { totals, budget } = await client.must('getUsage', {});
    expect(totals).toMatchObject({ calls: 1, cost_micro_usd: batch!.cost_micro_usd });
    expect(budget).toMatchObject({ daily_limit_micro_usd: null, spent_micro_usd: batch!.cost_micro_usd });
  });

  it('defers batches to the next day once it is spent, without a call for them', async () => {
    await setBudget(LOW_MICRO_USD);
    const refused = await postUntilRefused();
    const last = await getBatch(refused.id);
    const more = await Promise.all(Array.from({ length: WAITING - 1 }, post));
    waiting = [last, ...(await Promise.all(more.map(({ id }) => waitUntilDecided(id))))];
    const { budget, deferred_batches } = await client.must('getUsage', {});
    for (const batch of waiting) {
      expect(batch).toMatchObject({ status: 'deferred', deferred_reason: 'budget_exceeded', attempts: 0, error: null });
      expect(batch.shortfall_micro_usd).toBeGreaterThan(0);
      expect(batch.shortfall_micro_usd).toBeLessThanOrEqual(LOW_MICRO_USD);
      expect([batch.deferred_until, isNextMidnight(batch.deferred_until)]).toEqual([batch.deferred_until, true]);
      expect(callsOf(markOf(batch))).toBe(0);
    }
    expect(deferred_batches).toBe(WAITING);
    expect(budget.daily_limit_micro_usd).toBe(LOW_MICRO_USD);
    expect(budget.spent_micro_usd).toBeLessThanOrEqual(LOW_MICRO_USD);
  });

  it('resumes deferred batches when it is raised, with one call and one attempt each', async () => {
    const streams = await Promise.all(
      waiting.map(({ id }) =>
        fetch(`${client.address()}/v1/batches/${id}/events`, { headers: { authorization: `Bearer ${client.key}` } }),
      ),
    );
    const { resumed_batches, daily_limit_micro_usd } = await setBudget(HIGH_MICRO_USD);
    expect([resumed_batches, daily_limit_micro_usd]).toEqual([WAITING, HIGH_MICRO_USD]);
    const ids = waiting.map(({ id }) => id);
    const batches = await waitUntilDone(client, ids, { explain });
    for (const batch of batches) {
      expect(batch).toMatchObject({
        attempts: 1,
        inserted: 1,
        deferred_until: null,
        deferred_reason: null,
        shortfall_micro_usd: null,
      });
      expect(callsOf(markOf(batch))).toBe(1);
    }
    for (const stream of streams) {
      const events = await collectEvents(stream.body!);
      const batchEvents = events.map(({ event, data }) => ({ event, batch: JSON.parse(data) as Partial<Batch> }));
      expect(batchEvents[0]).toMatchObject({ batch: { status: 'deferred', deferred_reason: 'budget_exceeded' } });
      expect(isNextMidnight(batchEvents[0]!.batch.deferred_until ?? null)).toBe(true);
      expect(batchEvents.at(-1)).toMatchObject({ batch: { status: 'done', deferred_until: null } });
    }
    expect((await client.must('getUsage', {})).deferred_batches).toBe(0);
  });

  it('fails a batch that costs more than the whole budget, and a replay succeeds once it is raised', async () => {
    await setBudget(100);
    const { id, mark } = await postUntilRefused();
    const [failed] = await waitForBatches(client, [id], { explain });
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'budget_too_small' }, cost_micro_usd: 0 });
    expect(callsOf(mark)).toBe(0);
    await setBudget(null);
    await client.must('replayBatch', { params: { id } });
    await waitUntilDone(client, [id], { explain });
    expect(callsOf(mark)).toBe(1);
  });

  it('records every call at the cost that the provider charges', async () => {
    const { generated } = fake.journal;
    const { totals } = await client.must('getUsage', {});
    expect(totals.calls).toBe(generated.length);
    const charged = generated.reduce((sum, { costNanoUsd }) => sum + Math.ceil(costNanoUsd / 1_000), 0);
    expect(totals.cost_micro_usd).toBe(charged);
  });
});
