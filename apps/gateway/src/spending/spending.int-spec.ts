import type {
  Batch,
  Budget,
  ConversationAccepted,
  DeploymentBudgets,
  TenantBudget,
  TenantCostsPage,
  UsagePage,
} from '@annals/contracts';
import { findNextBudgetDay } from '@annals/runtime';
import { claimBatch, deferBatch, findApiKey, hashApiKey, openReservation, settleReservation } from '@annals/storage';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const DAY_MS = 86_400_000;

describe('usage and budgets over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let operator: string;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { MEMORY_LLM_TENANT_DAILY_BUDGET_USD: '2', MEMORY_LLM_CLAUDE_DAILY_BUDGET_USD: '5' },
    });
    setClockToNoon();
    operator = await gateway.makeOperatorKey();
  });
  beforeEach(async () => {
    tenantId = await gateway.makeTenant(`t-${gateway.infrastructure.ids.next()}`);
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  /** Keeps midnight out of the test. */
  function setClockToNoon(): void {
    const { clock } = gateway.infrastructure;
    const read = clock.now.bind(clock);
    const shiftMs = findNextBudgetDay(read()) + DAY_MS / 2 - read();
    vi.spyOn(clock, 'now').mockImplementation(() => read() + shiftMs);
  }
  const today = () => new Date(gateway.infrastructure.clock.now()).toISOString().slice(0, 10);
  const send = (...args: Parameters<TestGateway['send']>) => gateway.send<unknown>(...args);
  const keyIdOf = async (text: string) => (await findApiKey(gateway.database, hashApiKey(text)))!.keyId;
  const getUsage = async (query = '') => (await send(key, 'GET', `/v1/usage${query}`)).body as UsagePage;
  const getBudget = async () => (await send(key, 'GET', '/v1/admin/budgets')).body as TenantBudget;
  const putBudget = (limit: unknown, headers: Record<string, string> = {}) =>
    send(key, 'PUT', '/v1/admin/budgets', { body: { daily_limit_micro_usd: limit }, headers });

  /** A model call, settled or open. */
  async function spend(call: { userId?: string; model?: string; day?: string; cost: number | null }): Promise<void> {
    const { ids, clock } = gateway.infrastructure;
    const [id, now] = [ids.next(), clock.now()];
    await gateway.database.inTenant(tenantId, async (tx) => {
      await openReservation(tx, {
        id,
        batchId: null,
        userId: call.userId ?? 'ada',
        operation: 'extraction',
        provider: 'claude',
        model: call.model ?? 'claude-haiku-5-5',
        amountMicroUsd: 9_000,
        day: call.day ?? today(),
        fence: null,
        generation: null,
        now,
        expiresAt: now + 60_000,
      });
      if (call.cost === null) return;
      await settleReservation(tx, {
        reservationId: id,
        outcome: 'ok',
        usage: { inputTokens: 1_000, outputTokens: 200, cacheReadTokens: 400, cacheWriteTokens: 0, estimated: false },
        costMicroUsd: call.cost,
        durationMs: 800,
        now,
      });
    });
  }

  async function addDeferredBatch(): Promise<string> {
    const body = { user_id: 'ada', messages: [{ role: 'user', content: 'I like tea.' }], flush: true };
    const accepted = (await send(key, 'POST', '/v1/conversations', { body })).body as ConversationAccepted;
    const batchId = accepted.batch_ids[0]!;
    const now = gateway.infrastructure.clock.now();
    await gateway.database.inTenant(tenantId, async (tx) => {
      const claim = await claimBatch(tx, { batchId, generation: 1, kind: 'extraction', now, leaseMs: 1_000 });
      if (claim.outcome !== 'claimed') throw new Error(`The batch is ${claim.outcome}.`);
      const deferral = { batchId, fence: claim.fence, reason: 'budget_exceeded', shortfallMicroUsd: 77 } as const;
      await deferBatch(tx, { ...deferral, until: now + DAY_MS, now });
    });
    return batchId;
  }
  const getBatch = async (id: string) => (await send(key, 'GET', `/v1/batches/${id}`)).body as Batch;

  it('sums usage and cost of calls, and returns the budget', async () => {
    await spend({ cost: 500_000 });
    await spend({ cost: 100_001, userId: 'bob' });
    await spend({ cost: null });
    const usage = await getUsage();
    expect(usage.items).toEqual([
      {
        day: today(),
        provider: null,
        model: null,
        operation: null,
        user_id: null,
        batch_id: null,
        call_id: null,
        outcome: null,
        at: null,
        calls: 2,
        tokens: { input: 2_000, output: 400, cache_read: 800, cache_write: 0 },
        cost_micro_usd: 600_001,
        estimated: false,
      },
    ]);
    expect(usage.totals).toMatchObject({
      calls: 2,
      cost_micro_usd: 600_001,
      memories: 0,
      cost_per_memory_micro_usd: null,
    });
    expect(usage.budget).toMatchObject({
      daily_limit_micro_usd: 2_000_000,
      source: 'configuration',
      spent_micro_usd: 600_001,
      reserved_micro_usd: 9_000,
      budget_utilization: 30,
    });
  });

  it('groups by user, model and operation, page by page', async () => {
    await spend({ cost: 5, userId: 'ada', model: 'claude-haiku-5-5' });
    await spend({ cost: 7, userId: 'bob', model: 'claude-sonnet-5-5' });
    const byUser = await getUsage('?group_by=user');
    expect(byUser.items.map((row) => [row.user_id, row.cost_micro_usd])).toEqual([
      ['ada', 5],
      ['bob', 7],
    ]);
    const byModel = await getUsage('?group_by=model');
    expect(byModel.items.map((row) => [row.provider, row.model, row.cost_micro_usd])).toEqual([
      ['claude', 'claude-haiku-5-5', 5],
      ['claude', 'claude-sonnet-5-5', 7],
    ]);
    const first = await getUsage('?group_by=call&limit=1');
    expect(first.items).toMatchObject([{ cost_micro_usd: 7, outcome: 'ok' }]);
    const rest = await getUsage(`?group_by=call&limit=1&cursor=${encodeURIComponent(first.next_cursor!)}`);
    expect(rest).toMatchObject({ items: [{ cost_micro_usd: 5 }], next_cursor: null, totals: { calls: 2 } });
  });

  it('returns the last thirty days by default', async () => {
    const ago = (days: number) =>
      new Date(gateway.infrastructure.clock.now() - days * DAY_MS).toISOString().slice(0, 10);
    for (const days of [0, 29, 30]) await spend({ cost: 1, day: ago(days) });
    expect((await getUsage()).items.map(({ day }) => day)).toEqual([ago(0), ago(29)]);
    expect((await getUsage(`?from=${ago(30)}&to=${ago(30)}`)).items).toHaveLength(1);
  });

  it.each([
    ['?from=2026-02-30', 'query.from'],
    ['?from=2026-03-02&to=2026-03-01', 'query.from'],
    ['?group_by=colour', 'query.group_by'],
    ['?limit=0', 'query.limit'],
  ])('refuses %s and names the field', async (query, path) => {
    const answer = await gateway.send(key, 'GET', `/v1/usage${query}`);
    expect([answer.status, answer.body.errors?.map((error) => error.path)]).toEqual([400, [path]]);
  });

  it('sets a budget for one tenant only, and resets it to the configured one', async () => {
    expect((await putBudget(750_000)).body).toMatchObject({ daily_limit_micro_usd: 750_000, source: 'api' });
    expect(await getBudget()).toMatchObject({ daily_limit_micro_usd: 750_000 });
    const other = await gateway.makeKey({
      tenantId: await gateway.makeTenant(`o-${gateway.infrastructure.ids.next()}`),
    });
    const others = await gateway.send<Budget>(other, 'GET', '/v1/admin/budgets');
    expect(others.body).toMatchObject({ daily_limit_micro_usd: 2_000_000, source: 'configuration' });
    expect((await putBudget(0)).body).toMatchObject({ daily_limit_micro_usd: null, budget_utilization: null });
    expect((await putBudget(null)).body).toMatchObject({ daily_limit_micro_usd: 2_000_000, source: 'configuration' });
  });

  it.each([['a word'], [-1], [0.5], [1e15]])('refuses %j as a budget, and changes nothing', async (limit) => {
    const answer = await gateway.send(key, 'PUT', '/v1/admin/budgets', { body: { daily_limit_micro_usd: limit } });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, 'body.daily_limit_micro_usd']);
    expect(await getBudget()).toMatchObject({ source: 'configuration' });
  });

  it('resumes deferred batches when the budget is raised, but not when it is lowered', async () => {
    await putBudget(1_000);
    const id = await addDeferredBatch();
    const later = gateway.infrastructure.clock.now() + DAY_MS / 2;
    expect(await getBatch(id)).toMatchObject({
      status: 'deferred',
      deferred_reason: 'budget_exceeded',
      shortfall_micro_usd: 77,
    });
    expect((await getUsage()).deferred_batches).toBe(1);
    expect((await putBudget(500)).body).not.toHaveProperty('resumed_batches');
    expect(Date.parse((await getBatch(id)).deferred_until!)).toBeGreaterThan(later);
    const kicks = gateway.kicks.count;
    expect((await putBudget(2_000)).body).toMatchObject({ resumed_batches: 1 });
    expect(Date.parse((await getBatch(id)).deferred_until!)).toBeLessThan(later);
    expect(gateway.kicks.count).toBeGreaterThan(kicks);
  });

  it('has work without a batch released at once when the budget is raised', async () => {
    await putBudget(1_000);
    const kicks = gateway.kicks.count;
    await putBudget(500);
    expect(gateway.kicks.count).toBe(kicks);
    expect((await putBudget(2_000)).body).toMatchObject({ resumed_batches: 0 });
    expect(gateway.kicks.count).toBeGreaterThan(kicks);
  });

  it('answers a repeated PUT with the first response, and refuses its Idempotency-Key for another budget', async () => {
    const headers = { 'idempotency-key': 'once' };
    await putBudget(1_000, headers);
    await putBudget(5_000);
    expect((await putBudget(1_000, headers)).body).toMatchObject({ daily_limit_micro_usd: 1_000 });
    expect(await getBudget()).toMatchObject({ daily_limit_micro_usd: 5_000 });
    expect((await putBudget(9, headers)).status).toBe(409);
  });

  it('logs who changed a budget, with old and new limit, and nothing for an unchanged one', async () => {
    gateway.log.length = 0;
    const byKeyId = await keyIdOf(key);
    await putBudget(2_000_000);
    await putBudget(750_000, { 'idempotency-key': 'logged' });
    await putBudget(750_000, { 'idempotency-key': 'logged' });
    await putBudget(0);
    await putBudget(null);
    expect(gateway.logged('budget_changed')).toEqual([
      { scope: 'tenant', tenantId, fromMicroUSD: 2_000_000, toMicroUSD: 750_000, byKeyId },
      { scope: 'tenant', tenantId, fromMicroUSD: 750_000, toMicroUSD: 0, byKeyId },
      { scope: 'tenant', tenantId, fromMicroUSD: 0, toMicroUSD: 2_000_000, byKeyId },
    ]);
  });

  describe('of the whole deployment', () => {
    const path = '/v1/operator/budgets';
    const put = (body: unknown, headers: Record<string, string> = {}) => send(operator, 'PUT', path, { body, headers });
    afterEach(() => put({ deployment: null, claude: null, openai: null }));

    it('can be read and set only by an operator', async () => {
      expect((await send(key, 'GET', path)).status).toBe(403);
      expect((await send(key, 'PUT', path, { body: { deployment: 1 } })).status).toBe(403);
      const { body } = await gateway.send<DeploymentBudgets>(operator, 'GET', path);
      expect(body.deployment).toMatchObject({ daily_limit_micro_usd: 10_000_000, source: 'configuration' });
      expect(body.providers.claude).toMatchObject({ daily_limit_micro_usd: 5_000_000 });
      expect(body.providers.openai).toMatchObject({ daily_limit_micro_usd: null });
    });

    it('include all tenants, and resume their deferred batches when raised', async () => {
      await spend({ cost: 40 });
      const id = await addDeferredBatch();
      const before = ((await send(operator, 'GET', path)).body as DeploymentBudgets).deployment.spent_micro_usd;
      await spend({ cost: 2 });
      const after = (await put({ deployment: 30_000_000, claude: 1 })).body as DeploymentBudgets;
      expect(after.deployment).toMatchObject({ spent_micro_usd: before + 2, daily_limit_micro_usd: 30_000_000 });
      expect(after.providers.claude).toMatchObject({ source: 'api', daily_limit_micro_usd: 1 });
      expect(after.resumed_batches).toBeGreaterThanOrEqual(1);
      const until = Date.parse((await getBatch(id)).deferred_until!);
      expect(until).toBeLessThan(gateway.infrastructure.clock.now() + DAY_MS / 2);
    });

    it('are set once by a repeated PUT', async () => {
      const headers = { 'idempotency-key': 'op-once' };
      await put({ deployment: 1_000 }, headers);
      await put({ deployment: 2_000 });
      expect(((await put({ deployment: 1_000 }, headers)).body as DeploymentBudgets).deployment).toMatchObject({
        daily_limit_micro_usd: 1_000,
      });
      const { body } = await gateway.send<DeploymentBudgets>(operator, 'GET', path);
      expect(body.deployment.daily_limit_micro_usd).toBe(2_000);
    });

    it('are logged with who changed which one', async () => {
      gateway.log.length = 0;
      const byKeyId = await keyIdOf(operator);
      for (const _again of [1, 2])
        await put({ deployment: 1_000, openai: 5, claude: 5_000_000 }, { 'idempotency-key': 'op-logged' });
      const logged = gateway.logged('budget_changed');
      expect(logged).toHaveLength(2);
      expect(logged).toContainEqual({ scope: 'deployment', fromMicroUSD: 10_000_000, toMicroUSD: 1_000, byKeyId });
      expect(logged).toContainEqual({ scope: 'openai', fromMicroUSD: 0, toMicroUSD: 5, byKeyId });
    });

    it('cannot be set with an empty body', async () => {
      expect((await put({})).status).toBe(400);
    });
  });

  describe('of each tenant, for an operator', () => {
    const path = '/v1/operator/costs';
    const readAll = async (query = 'limit=100') => {
      const items: TenantCostsPage['items'] = [];
      for (let next: string | null = ''; next !== null;) {
        const { status, body }: { status: number; body: TenantCostsPage } = await gateway.send<TenantCostsPage>(
          operator,
          'GET',
          `${path}?${query}${next && `&cursor=${encodeURIComponent(next)}`}`,
        );
        expect(status).toBe(200);
        items.push(...body.items);
        next = body.next_cursor;
      }
      return items;
    };
    const ago = (days: number) =>
      new Date(gateway.infrastructure.clock.now() - days * DAY_MS).toISOString().slice(0, 10);

    it('are summed over the days, with each tenant once and in order of creation', async () => {
      const first = tenantId;
      await spend({ cost: 5 });
      await spend({ cost: 7, day: ago(29) });
      await spend({ cost: 11, day: ago(30) });
      tenantId = await gateway.makeTenant(`t-${gateway.infrastructure.ids.next()}`);
      const items = await readAll('limit=1');
      const expected = [
        { tenant_id: first, calls: 2, cost_micro_usd: 12 },
        { tenant_id: tenantId, calls: 0, cost_micro_usd: 0 },
      ];
      expect(items.filter(({ tenant_id: id }) => id === first || id === tenantId)).toMatchObject(expected);
      expect(new Set(items.map(({ tenant_id: id }) => id)).size).toBe(items.length);
      const earlier = await readAll(`from=${ago(30)}&to=${ago(30)}`);
      expect(earlier.find(({ tenant_id: id }) => id === first)).toMatchObject({ calls: 1, cost_micro_usd: 11 });
    });

    it('include as a sum what deleted tenants cost', async () => {
      const day = ago(3);
      const readDeleted = async () =>
        (await gateway.send<TenantCostsPage>(operator, 'GET', `${path}?from=${day}&to=${day}`)).body
          .deleted_tenants_cost_micro_usd;
      const before = await readDeleted();
      await spend({ cost: 13, day });
      expect((await send(operator, 'DELETE', `/v1/operator/tenants/${tenantId}`)).status).toBe(200);
      expect(await readDeleted()).toBe(before + 13);
      expect((await readAll()).map(({ tenant_id: id }) => id)).not.toContain(tenantId);
    });

    it('are refused to keys of tenants, and for days in the wrong order or a forged cursor', async () => {
      expect((await gateway.send(key, 'GET', path)).body.code).toBe('forbidden_scope');
      const wrong = await gateway.send(operator, 'GET', `${path}?from=2026-03-02&to=2026-03-01`);
      expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([400, 'query.from']);
      expect((await gateway.send(operator, 'GET', `${path}?cursor=nonsense`)).status).toBe(400);
    });
  });

  it('refuses usage and budgets to keys without the scope', async () => {
    const reader = await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
    for (const path of ['/v1/usage', '/v1/admin/budgets']) {
      expect((await gateway.send(reader, 'GET', path)).body.code).toBe('forbidden_scope');
    }
  });
});
