import { StorageFixture } from '../fixtures/storage.fixture.js';
import {
  fireBudgetAlert,
  type BudgetAlert,
  readBudgetLimits,
  setDeploymentBudget,
  setTenantBudget,
} from './budgets.js';

describe('budgets set at run time', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('TRUNCATE budgets, deployment_budgets');
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const read = () => readBudgetLimits(fixture.database, tenant);
  const setOwn = (limit: number | null) =>
    fixture.inTenant(tenant, (tx) => setTenantBudget(tx, limit, fixture.clock.now()));
  const setDeployment = (limitMicroUsd: number | null) =>
    setDeploymentBudget(fixture.database, { scope: 'deployment', limitMicroUsd, now: fixture.clock.now() });
  const setProvider = (id: string, limitMicroUsd: number | null) =>
    setDeploymentBudget(fixture.database, { scope: 'provider', id, limitMicroUsd, now: fixture.clock.now() });

  it('are empty at first', async () => {
    expect(await read()).toEqual({ deployment: null, tenant: null, providers: new Map() });
  });

  it('apply to the deployment, to each provider and to the tenant', async () => {
    await setDeployment(10_000_000);
    await setProvider('claude', 7_000_000);
    await setProvider('openai', 0);
    await setOwn(1_000_000);
    expect(await read()).toEqual({
      deployment: 10_000_000,
      tenant: 1_000_000,
      providers: new Map([
        ['claude', 7_000_000],
        ['openai', 0],
      ]),
    });
  });

  it('can be changed, and removed one by one', async () => {
    await setDeployment(1);
    await setDeployment(2);
    await setProvider('claude', 3);
    await setProvider('openai', 4);
    await setOwn(5);
    await setOwn(6);
    expect(await read()).toMatchObject({ deployment: 2, tenant: 6 });
    await setProvider('claude', null);
    await setOwn(null);
    expect(await read()).toEqual({ deployment: 2, tenant: null, providers: new Map([['openai', 4]]) });
    await setDeployment(null);
    expect(await read()).toMatchObject({ deployment: null, providers: new Map([['openai', 4]]) });
  });

  it('are a tenant’s own', async () => {
    await setOwn(5);
    tenant = await fixture.addTenant();
    await setOwn(null);
    expect(await read()).toMatchObject({ tenant: null });
    expect(await fixture.queryAsSuperuser('SELECT FROM budgets')).toHaveLength(1);
  });
});

describe('fireBudgetAlert', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  const fire = (changes: Partial<BudgetAlert> = {}) =>
    fireBudgetAlert(fixture.database, {
      day: '2026-01-05',
      scope: 'tenant',
      scopeId: '01933b1e-7f00-7c3d-a1b2-000000000001',
      threshold: 70,
      now: fixture.clock.now(),
      ...changes,
    });

  it('returns true to one of many callers, and never again for the same alert', async () => {
    const fired = await Promise.all(Array.from({ length: 16 }, () => fire()));
    expect(fired.filter(Boolean)).toHaveLength(1);
    expect(await fire()).toBe(false);
  });

  it.each([
    ['day', { day: '2026-01-06' }],
    ['budget', { scope: 'provider' }],
    ['owner of the budget', { scopeId: '01933b1e-7f00-7c3d-a1b2-000000000002' }],
    ['threshold', { threshold: 90 }],
  ] as const)('returns true again for another %s', async (_, changes) => {
    await fire();
    expect(await fire(changes)).toBe(true);
  });
});
