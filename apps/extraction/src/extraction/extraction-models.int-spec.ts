import { findNextBudgetDay } from '@annals/runtime';
import {
  claimBatch,
  loadExtraction,
  openReservation,
  replayBatch,
  settleReservation,
  type CallSettlement,
} from '@annals/storage';
import { ShiftedClock, createTestDatabase, type FakeModels, startFakeModels, type TestDatabase } from '@annals/testing';
import { describeModels, ExtractionService, type TestMessage } from './extraction-service.fixture.js';

const HELLO: readonly TestMessage[] = [
  ['user', 'I moved to Lisbon.'],
  ['assistant', 'How do you like it?'],
  ['user', 'I have a cat called Nox.'],
];
const MIDNIGHT_SPREAD_MS = 60_000;

describe('extraction with remote models', () => {
  let models: FakeModels;
  let database: TestDatabase;
  let service: ExtractionService;

  beforeAll(async () => {
    models = await startFakeModels();
  });
  beforeEach(async () => {
    models.behave(undefined);
    models.journal.clear();
    database = await createTestDatabase();
  });
  afterEach(async () => {
    models.outage(false);
    await service?.stop();
    await database?.drop();
  });
  afterAll(() => models?.close());

  const start = async (env: Record<string, string> = {}, clock = new ShiftedClock()) => {
    service = await ExtractionService.start({
      database,
      clock,
      env: { ...describeModels(models), MEMORY_LLM_PRIMARY: 'claude', ...env },
    });
    return service;
  };
  const calls = () => models.journal.generated;
  const apis = () => calls().map(({ request }) => request.api);

  it.each(['true', 'false'])(
    'commits a grounded answer with its cost in one transaction (streaming: %s)',
    async (streaming) => {
      await start({ MEMORY_LLM_STREAMING: streaming });
      const id = await service.post(HELLO);
      const batch = await service.waitFor(id, 'persisting');
      expect(batch).toMatchObject({ provider: 'claude', model: 'claude-haiku-5-5', pruned_messages: 0 });
      expect(batch.tokens.input).toBeGreaterThan(0);
      expect(batch.cost_micro_usd).toBeGreaterThan(0);
      const extraction = await service.inTenant((tx) => loadExtraction(tx, id));
      expect(extraction?.items.map(({ evidence, quarantineReason }) => [evidence[0]?.quote, quarantineReason])).toEqual(
        [
          ['I moved to Lisbon.', undefined],
          ['I have a cat called Nox.', undefined],
        ],
      );
      expect(await service.listOutcomes(id)).toEqual(['claude ok']);
      const [row] = await service.inTenant((tx) =>
        tx.query('SELECT prompt_version, diagnostics FROM extractions WHERE batch_id = $1', [id]),
      );
      expect(row).toMatchObject({
        prompt_version: expect.any(String),
        diagnostics: {
          selection: { prunedCount: 0, selectedIds: [expect.any(String), expect.any(String)] },
          answer: { truncated: false, repairs: 0, dropped: 0, adaptedFrom: null },
        },
      });
      expect(calls().map(({ request }) => request.stream)).toEqual([streaming === 'true']);
      expect(service.listEvents('first_token_latency')).toHaveLength(streaming === 'true' ? 1 : 0);
    },
  );

  it('retries the primary three times, then calls the fallback', async () => {
    await start({ MEMORY_LLM_FALLBACKS: 'openai' });
    models.behave(({ api }) => (api === 'anthropic' ? { kind: 'error', status: 500 } : undefined));
    const id = await service.post(HELLO);
    expect(await service.waitFor(id, 'persisting')).toMatchObject({ provider: 'openai', attempts: 0 });
    expect(apis().filter((api) => api === 'anthropic')).toHaveLength(4);
    expect(await service.listOutcomes(id)).toEqual([...Array<string>(4).fill('claude transient'), 'openai ok']);
    expect(service.listEvents('provider_call_error').map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(service.listEvents('fallback_activated').map(({ context }) => context)).toEqual([
      expect.objectContaining({ from: 'claude', to: 'openai', reason: 'transient' }),
    ]);
  });

  it('calls the local provider last, when that is a fallback', async () => {
    await start({ MEMORY_LLM_FALLBACKS: 'local', MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1' });
    models.outage(true);
    const id = await service.post(HELLO);
    expect(await service.waitFor(id, 'persisting')).toMatchObject({ provider: 'local' });
    expect(service.listEvents('fallback_activated')[0]?.context).toMatchObject({ to: 'local', reason: 'circuit_open' });
  });

  it('gives the local provider the whole of a batch that exceeds a prompt', async () => {
    await start({
      MEMORY_LLM_FALLBACKS: 'local',
      MEMORY_LLM_SALIENCE_MAX_TOKENS: '100',
      MEMORY_LLM_SALIENCE_TOP_K: '2',
    });
    models.outage(true);
    const said = Array.from({ length: 20 }, (_, index): TestMessage => [
      'user',
      `I have a cat called Nox${'abcdefghijklmnopqrst'[index]}.`,
    ]);
    const id = await service.post(said);
    expect(await service.waitFor(id, 'persisting')).toMatchObject({ provider: 'local', pruned_messages: 0 });
    const extraction = await service.inTenant((tx) => loadExtraction(tx, id));
    expect(new Set(extraction?.items.flatMap(({ evidence }) => evidence.map((cited) => cited.message_id))).size).toBe(
      20,
    );
  });

  it('corrects an unreadable answer once, and charges both calls', async () => {
    await start();
    models.plan({ kind: 'answer', text: 'I found two facts.' });
    const id = await service.post(HELLO);
    const batch = await service.waitFor(id, 'persisting');
    expect(await service.listOutcomes(id)).toEqual(['claude parsing', 'claude ok']);
    expect(calls().map(({ request }) => request.userTexts.length)).toEqual([1, 2]);
    const [sum] = await service.inTenant((tx) =>
      tx.query<{ cost: string }>('SELECT sum(cost_micro_usd) AS cost FROM usage WHERE batch_id = $1', [id]),
    );
    expect(batch.cost_micro_usd).toBe(Number(sum!.cost));
    const repairs = service.listEvents('parsing_repair_attempt', 'parsing_repair_failure', 'provider_call_error');
    expect(repairs.map(({ event }) => event)).toEqual([
      'parsing_repair_attempt',
      'parsing_repair_failure',
      'provider_call_error',
    ]);
  });

  it('fails a batch after two unreadable answers, and stores both answers outside of the batch', async () => {
    await start();
    models.plan({ kind: 'answer', text: 'No.' }, { kind: 'answer', text: 'Still no.' });
    const id = await service.post(HELLO);
    expect((await service.waitFor(id, 'failed')).error?.code).toBe('parsing');
    const stored = await service.inTenant((tx) =>
      tx.query('SELECT answer FROM call_answers WHERE batch_id = $1 ORDER BY created_at', [id]),
    );
    expect(stored).toEqual([{ answer: 'No.' }, { answer: 'Still no.' }]);
    // A replay starts with new calls.
    await service.inTenant((tx) => replayBatch(tx, id, service.clock.now(), service.running.infrastructure.ids));
    service.running.infrastructure.relay.kick();
    await service.waitFor(id, 'persisting');
    expect(calls().map(({ request }) => request.userTexts.length)).toEqual([1, 2, 1]);
  });

  it.each([
    ['a refusal', { kind: 'answer', stop: 'refusal' }, 'policy'],
    ['a wrong key', { kind: 'error', status: 401 }, 'authentication'],
    ['a bad request', { kind: 'error', status: 400 }, 'invalid_request'],
  ] as const)('neither retries nor falls back after %s', async (_what, behaviour, code) => {
    await start({ MEMORY_LLM_FALLBACKS: 'openai' });
    models.plan(behaviour);
    const id = await service.post(HELLO);
    expect((await service.waitFor(id, 'failed')).error?.code).toBe(code);
    expect(apis()).toEqual(['anthropic']);
  });

  it('writes the complete memories of an answer that was cut at the output limit', async () => {
    await start();
    const first = { content: 'The user moved to Lisbon.', quote: 'I moved to Lisbon.', name: 'm1' };
    const memories = [first, { ...first, content: 'The user has a ca' }].map(({ content, quote, name }) => ({
      content,
      category: 'facts',
      type: 'semantic',
      importance: 2,
      confidence: 0.9,
      evidence: [{ message_id: name, quote }],
    }));
    const whole = JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories });
    models.behave(() => ({ kind: 'answer', text: whole + whole.slice(0, -180), stop: 'truncated' }));
    const id = await service.post(HELLO);
    await service.waitFor(id, 'persisting');
    const extraction = await service.inTenant((tx) => loadExtraction(tx, id));
    expect(extraction?.items.map(({ content }) => content)).toEqual(['The user moved to Lisbon.']);
  });

  it('sends the most salient messages of a batch that is too long, and reports the pruned ones', async () => {
    await start({ MEMORY_LLM_SALIENCE_MAX_TOKENS: '200', MEMORY_LLM_SALIENCE_TOP_K: '5' });
    const long = Array.from({ length: 30 }, (_, index): TestMessage => [
      'user',
      `It is day ${index}, and I did some work.`,
    ]);
    const id = await service.post([...long, ['user', 'I love my new dog Rex!']]);
    const batch = await service.waitFor(id, 'persisting');
    expect(batch.pruned_messages).toBeGreaterThan(10);
    expect(service.listEvents('messages_pruned')[0]?.context).toMatchObject({ prunedCount: batch.pruned_messages });
    const [prompt] = calls()[0]!.request.userTexts;
    expect(prompt).toContain('dog Rex');
    expect(prompt).not.toContain('It is day 15');
  });

  it('defers a batch that exceeds the budget, and resumes it after midnight', async () => {
    const clock = new ShiftedClock();
    const midnight = findNextBudgetDay(findNextBudgetDay(clock.now()));
    // Starts at noon, so that the budget is exhausted before the budget day is over.
    clock.advance(midnight - 12 * 3_600_000 - clock.now());
    await start({ MEMORY_LLM_DAILY_BUDGET_USD: '0.02' }, clock);
    models.plan({ kind: 'answer', usage: { inputTokens: 99_000, outputTokens: 19_000 } });
    await service.waitFor(await service.post(HELLO), 'persisting');
    const id = await service.post(HELLO);
    const deferred = await service.waitFor(id, 'deferred');
    expect(deferred).toMatchObject({ deferred_reason: 'budget_exceeded', attempts: 0, error: null });
    expect(deferred.shortfall_micro_usd).toBeGreaterThan(0);
    const until = Date.parse(deferred.deferred_until!);
    expect(until).toBeGreaterThanOrEqual(midnight);
    expect(until).toBeLessThanOrEqual(midnight + MIDNIGHT_SPREAD_MS);
    expect(calls()).toHaveLength(1);
    expect(service.listEvents('batch_deferred')[0]?.context).toMatchObject({ reason: 'budget_exceeded' });
    clock.advance(until - clock.now() + 1);
    await service.waitFor(id, 'persisting');
    expect(calls()).toHaveLength(2);
  });

  it('fails a batch without retries when its call alone exceeds the budget', async () => {
    await start({ MEMORY_LLM_DAILY_BUDGET_USD: '0.000001' });
    const id = await service.post(HELLO);
    expect((await service.waitFor(id, 'failed')).error?.code).toBe('budget_too_small');
    expect(calls()).toEqual([]);
  });

  it('defers a batch while the circuit is open and there is no fallback, and resumes it when it closes', async () => {
    await start({ MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1', MEMORY_LLM_CIRCUIT_COOLDOWN_MS: '1000' });
    models.plan({ kind: 'error', status: 529 });
    const id = await service.post(HELLO);
    expect(await service.waitFor(id, 'persisting')).toMatchObject({ attempts: 0 });
    // The event, since the batch is deferred for a second only, which a busy process may not see.
    const [deferred] = service.listEvents('batch_deferred');
    expect(deferred?.context).toMatchObject({ reason: 'circuit_open' });
    expect(deferred?.context).not.toHaveProperty('shortfall');
    expect(calls()).toHaveLength(2);
  });

  it('delays the job while a provider requires a wait, and calls it no sooner', async () => {
    await start({ ANNALS_EXTRACTION_CONCURRENCY: '1', MEMORY_LLM_FALLBACKS: '' });
    models.plan({ kind: 'error', status: 429, hint: { kind: 'seconds', seconds: 6 } });
    const id = await service.post(HELLO);
    await service.waitFor(id, 'persisting', 40_000);
    const [first, second] = calls();
    expect(second!.receivedAt - first!.receivedAt).toBeGreaterThanOrEqual(6_000);
    expect(await service.listOutcomes(id)).toEqual(['claude rate_limit', 'claude ok']);
    expect(service.listEvents('job_failed', 'job_exhausted')).toEqual([]);
  });

  describe('after a worker was killed', () => {
    /** A batch that a worker claimed two minutes ago, with its calls; an `open` one was never settled. */
    const postTo = (outcomes: readonly (CallSettlement['outcome'] | 'open')[]) =>
      service.post(HELLO, async (tx, batchId) => {
        const { ids } = service.running.infrastructure;
        const then = service.clock.now() - 120_000;
        const claim = await claimBatch(tx, { batchId, generation: 1, kind: 'extraction', now: then, leaseMs: 1 });
        if (claim.outcome !== 'claimed') throw new Error(`The batch is ${claim.outcome}.`);
        for (const [index, outcome] of outcomes.entries()) {
          const reservationId = ids.next();
          await openReservation(tx, {
            id: reservationId,
            batchId,
            userId: 'ada',
            operation: 'extraction',
            provider: 'claude',
            model: 'claude-haiku-5-5',
            amountMicroUsd: 5_000,
            day: new Date(then).toISOString().slice(0, 10),
            fence: claim.fence,
            generation: 1,
            now: then,
            expiresAt: then + 90_000,
          });
          if (outcome === 'open') continue;
          const usage = { inputTokens: 100, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };
          await settleReservation(tx, {
            reservationId,
            outcome,
            usage: { ...usage, estimated: false },
            costMicroUsd: 35,
            durationMs: 10,
            ...(outcome === 'parsing' ? { answer: { text: 'Two facts: …', problem: 'It is not JSON.' } } : {}),
            now: then + index,
          });
        }
      });

    it('charges the lost call, and makes one more', async () => {
      await start();
      const id = await postTo(['open']);
      await service.waitFor(id, 'persisting');
      expect(calls()).toHaveLength(1);
      await service.running.infrastructure.reconciler!.reconcile();
      expect(await service.listOutcomes(id)).toEqual(expect.arrayContaining(['claude lost', 'claude ok']));
      expect((await service.read(id)).cost_micro_usd).toBeGreaterThan(5_000);
    });

    it('continues with the correction of an unreadable answer instead of repeating the call', async () => {
      await start();
      await service.waitFor(await postTo(['parsing']), 'persisting');
      expect(calls()).toHaveLength(1);
      expect(calls()[0]!.request.userTexts).toHaveLength(2);
      expect(JSON.stringify(calls()[0]!.request.body)).toContain('Two facts');
    });

    it('counts the calls of the killed worker as attempts', async () => {
      await start();
      models.behave(() => ({ kind: 'error', status: 500 }));
      const id = await postTo(['transient', 'timeout', 'transient']);
      expect((await service.waitFor(id, 'failed')).error?.code).toBe('transient');
      expect(calls()).toHaveLength(1);
    });
  });

  it('continues with the correction that a shutdown aborted', async () => {
    await start();
    models.plan({ kind: 'answer', text: 'I found two facts.' }, { kind: 'hang' });
    const first = service;
    const id = await first.post(HELLO);
    await models.journal.waitFor(() => calls().length === 2);
    await first.stop();
    await start();
    await service.waitFor(id, 'persisting', 40_000);
    expect(calls().map(({ request }) => request.userTexts.length)).toEqual([1, 2, 2]);
    expect(await service.listOutcomes(id)).toEqual(['claude parsing', 'claude aborted', 'claude ok']);
  });
});
