import {
  buildExtractionPrompt,
  createProvider,
  LLMError,
  type LLMErrorDetails,
  type LLMErrorType,
  loadPricingCatalog,
} from '@annals/llm-core';
import { type FakeModels, startFakeModels } from '@annals/testing';
import { buildBilledCall } from './build-prompt-call.js';
import { answerFor, ModelCallsFixture, makeCall, UNLIMITED } from './model-calls.fixture.js';

describe('admission control of remote models', () => {
  let fixture: ModelCallsFixture;
  let tenantId: string;
  let models: FakeModels | undefined;

  beforeAll(async () => {
    fixture = await ModelCallsFixture.open();
    tenantId = await fixture.makeTenant();
  });
  afterEach(async () => {
    await models?.close();
    models = undefined;
  });
  afterAll(() => fixture.close());

  const failing = (type: LLMErrorType, details: LLMErrorDetails = { status: 500 }) =>
    makeCall(tenantId, { invoke: () => Promise.reject(new LLMError(type, 'It failed.', details)) });

  it('opens the circuit after an outage, sets the gauge before the event, and returns retryAt', async () => {
    const instance = await fixture.openInstance({ coordination: await fixture.createCoordination({}) });
    const order: string[] = [];
    const set = instance.metrics.set.bind(instance.metrics);
    const spy = vi.spyOn(instance.metrics, 'set').mockImplementation((name, ...rest) => {
      if (name === 'memory_llm_circuit_state') order.push(`gauge before ${eventsOf('circuit_state_change').length}`);
      (set as (...all: unknown[]) => void)(name, ...rest);
    });
    const eventsOf = (event: string) => instance.lines.filter((line) => line.event === event);
    expect(await instance.calls.run(failing('transient'))).toMatchObject({ outcome: 'failed', costMicroUsd: 0 });
    expect(await instance.calls.run(makeCall(tenantId))).toEqual({
      outcome: 'refused',
      why: 'circuit',
      state: 'open',
      retryAt: fixture.clock.now() + 30_000,
    });
    fixture.clock.advance(30_000);
    const probe = await instance.calls.run(makeCall(tenantId));
    if (probe.outcome !== 'answered') throw new Error(probe.outcome);
    expect(await instance.calls.run(makeCall(tenantId))).toMatchObject({ why: 'circuit', state: 'half_open' });
    await probe.close('not_written');
    expect(await instance.calls.readCircuit('claude', 'haiku')).toMatchObject({ state: 'closed' });
    expect(eventsOf('circuit_state_change')).toMatchObject([
      {
        provider: 'claude',
        model: 'haiku',
        circuitState: 'open',
        context: { previousState: 'closed', failureRate: 1 },
      },
      { circuitState: 'half_open', context: { previousState: 'open' } },
      { circuitState: 'closed', context: { previousState: 'half_open' } },
    ]);
    expect(order).toEqual(['gauge before 0', 'gauge before 1', 'gauge before 2']);
    spy.mockRestore();
  });

  it.each(['rate_limit', 'authentication', 'invalid_request', 'policy', 'parsing'] as const)(
    'keeps the circuit closed after %s',
    async (type) => {
      const instance = await fixture.openInstance({ coordination: await fixture.createCoordination({}) });
      await instance.calls.run(failing(type));
      expect(await instance.calls.readCircuit('claude', 'haiku')).toMatchObject({ state: 'closed' });
    },
  );

  it('blocks all processes for the retry-after of a 429', async () => {
    const coordination = await fixture.createCoordination();
    const [one, other] = await Promise.all([1, 2].map(() => fixture.openInstance({ coordination })));
    await one!.calls.run(failing('rate_limit', { status: 429, retryAfterMs: 3_000 }));
    expect(await other!.calls.run(makeCall(tenantId))).toEqual({
      outcome: 'refused',
      why: 'rate',
      reason: 'blocked',
      retryInMs: 3_000,
    });
    expect((await other!.metrics.render()).body).toContain(
      'memory_llm_rate_limiter_waits_total{provider="claude",model="haiku",reason="blocked"} 1',
    );
    fixture.clock.advance(3_000);
    expect((await other!.calls.run(makeCall(tenantId))).outcome).toBe('answered');
  });

  it('reserves half of a minute for required calls', async () => {
    const coordination = await fixture.createCoordination();
    const instance = await fixture.openInstance({ coordination, requestsPerMinute: 10 });
    const run = (yieldsToInteractive: boolean) => instance.calls.run(makeCall(tenantId, { yieldsToInteractive }));
    for (const made of [1, 2, 3, 4, 5]) expect([made, (await run(true)).outcome]).toEqual([made, 'answered']);
    const refused = { outcome: 'refused', why: 'rate', reason: 'pace', retryInMs: 5_000 };
    expect(await run(true)).toEqual(refused);
    fixture.clock.advance(1_000);
    expect(await run(true)).toEqual({ ...refused, retryInMs: 4_000 });
    // Calls that yielded used no capacity and do not count as waiting.
    for (const made of [6, 7, 8]) expect([made, (await run(false)).outcome]).toEqual([made, 'answered']);
    fixture.clock.advance(60_000);
    expect((await run(true)).outcome).toBe('answered');
  });

  it('ends a call that takes too long as a timeout and charges it in full', async () => {
    const instance = await fixture.openInstance();
    const invoke = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        fixture.clock.advance(20);
      });
    const result = await instance.calls.run(makeCall(tenantId, { timeoutMs: 20, invoke }));
    expect(result).toMatchObject({ outcome: 'failed', error: { type: 'timeout' }, costMicroUsd: 100 });
  });

  it.each(['claude', 'openai'] as const)(
    'settles a call of %s whose answer trickles without an end as any timeout, and closes its connection',
    async (provider) => {
      fixture.beginDay();
      models = await startFakeModels({ now: () => fixture.clock.now() });
      const { clock } = fixture;
      const shared = { apiKey: 'sk', timeoutMs: 1_000, catalog: loadPricingCatalog(), clock };
      const remote = createProvider(
        provider === 'claude'
          ? { ...shared, provider, model: 'claude-haiku-5-5', baseUrl: models.anthropicUrl }
          : { ...shared, provider, model: 'gpt-6-luna', baseUrl: models.openaiUrl, isFree: false },
      );
      const coordination = await fixture.createCoordination();
      const instance = await fixture.openInstance({ coordination });
      models.plan({ kind: 'answer', broken: { at: 'middle', how: 'trickle' } });
      const excerpt = { messages: [], context: [] };
      const request = {
        requestId: 'r1',
        task: 'extract_memories' as const,
        conversation: excerpt,
        prompt: buildExtractionPrompt({ excerpt }),
        maxOutputTokens: 1_000,
      };
      const running = instance.calls.run(
        buildBilledCall(
          { tenantId, userId: null, batch: null },
          {
            provider: remote,
            request,
            operation: 'extraction',
            expectedTokens: 15,
            timeoutMs: 1_000,
            signal: new AbortController().signal,
            send: async (sent) => ({ response: await remote.send(sent) }),
          },
        ),
      );
      await models.journal.waitFor((entries) => (entries.at(-1)?.trickles ?? 0) > 5);
      clock.advance(1_000);
      const result = await running;
      expect(result).toMatchObject({ outcome: 'failed', error: { type: 'timeout' } });
      if (result.outcome !== 'failed') throw new Error(result.outcome);
      expect(result.costMicroUsd).toBeGreaterThan(0);
      const [row] = await fixture.database.readTenant(tenantId, (tx) =>
        tx.query(
          `SELECT u.outcome, u.cost_micro_usd::int AS cost, (SELECT count(*)::int FROM reservations r WHERE r.id = u.id) AS open
             FROM usage u WHERE u.id = $1`,
          [result.callId],
        ),
      );
      expect(row).toEqual({ outcome: 'timeout', cost: result.costMicroUsd, open: 0 });
      const spent = await coordination.budgets.read(fixture.today, { tenantId, provider });
      expect(spent?.deployment).toEqual({ spentMicroUsd: result.costMicroUsd, reservedMicroUsd: 0 });
      await models.journal.waitFor((entries) => entries.at(-1)?.ending === 'left');
    },
  );

  it('stores an answer that cannot be parsed, and charges it', async () => {
    const instance = await fixture.openInstance();
    const result = await instance.calls.run(makeCall(tenantId));
    if (result.outcome !== 'answered') throw new Error(result.outcome);
    const failed = await result.reject(new LLMError('parsing', 'It is no JSON.'), { text: '{', problem: 'No JSON.' });
    expect(failed).toMatchObject({ outcome: 'failed', callId: result.callId, costMicroUsd: 40 });
    const [row] = await fixture.database.readTenant(tenantId, (tx) =>
      tx.query('SELECT outcome, cost_micro_usd FROM usage WHERE id = $1', [result.callId]),
    );
    expect(row).toEqual({ outcome: 'parsing', cost_micro_usd: '40' });
  });

  it('logs a call with the mandatory fields, and counts it once', async () => {
    fixture.beginDay();
    const instance = await fixture.openInstance({ spending: { ...UNLIMITED, deploymentMicroUsd: 400 } });
    const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, estimated: true as const };
    const invoke = async () => ({ ...answerFor(40), usage });
    const result = await instance.calls.run(makeCall(tenantId, { invoke }));
    if (result.outcome === 'answered') await result.close('not_written');
    await instance.calls.run(failing('transient', { status: 500, retryAfterMs: 7, derivedRetry: true }));
    const logged = instance.lines.filter(({ event }) => event.startsWith('provider_call'));
    expect(logged.map(({ level }) => level)).toEqual(['info', 'info', 'info', 'warn']);
    for (const line of logged) expect(line).toMatchObject({ attempt: 1, circuitState: 'closed' });
    // The gauge's value when the line is written: 40 of 400 are spent once the first call is settled.
    expect(logged.map(({ budgetUtilization }) => budgetUtilization)).toEqual([0, 0, 10, 10]);
    expect(logged.map(({ event }) => event)).toEqual([
      'provider_call_start',
      'provider_call_complete',
      'provider_call_start',
      'provider_call_error',
    ]);
    expect(logged[1]).toMatchObject({
      provider: 'claude',
      model: 'haiku',
      costMicroUSD: 40,
      context: { tokenUsage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4 }, usageEstimated: true },
    });
    expect(logged[3]).toMatchObject({
      errorType: 'transient',
      attempt: 1,
      context: { retryAfterMs: 7, derivedRetry: true },
    });
    const { body } = await instance.metrics.render();
    const labels = 'provider="claude",model="haiku",operation="extraction"';
    expect(body).toContain(`memory_llm_requests_total{${labels},outcome="ok"} 1`);
    expect(body).toContain(`memory_llm_requests_total{${labels},outcome="transient"} 1`);
    expect(body).toContain(`memory_llm_tokens_total{${labels},direction="cache_read"} 4`);
    expect(body).toContain(`memory_llm_cost_micro_usd_total{${labels}} 40`);
  });

  it('rejects an amount that is not a whole number of micro-USD', async () => {
    const instance = await fixture.openInstance({ spending: UNLIMITED });
    for (const maxCostMicroUsd of [-1, 0.5, Number.NaN, Infinity]) {
      await expect(instance.calls.run(makeCall(tenantId, { maxCostMicroUsd }))).rejects.toThrow(RangeError);
    }
  });
});
