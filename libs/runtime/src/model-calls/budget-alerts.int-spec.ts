import { setDeploymentBudget } from '@annals/storage';
import { answerFor, type ModelCallsInstance, ModelCallsFixture, makeCall, UNLIMITED } from './model-calls.fixture.js';

describe('budget alerts', () => {
  let fixture: ModelCallsFixture;
  let tenantId: string;

  beforeAll(async () => {
    fixture = await ModelCallsFixture.open();
  });
  beforeEach(async () => {
    fixture.beginDay();
    tenantId = await fixture.makeTenant();
  });
  afterEach(() =>
    setDeploymentBudget(fixture.database, { scope: 'deployment', limitMicroUsd: null, now: fixture.clock.now() }),
  );
  afterAll(() => fixture.close());

  const spend = async (instance: ModelCallsInstance, cost: number, tenant = tenantId) => {
    const call = makeCall(tenant, { maxCostMicroUsd: cost, invoke: async () => answerFor(cost) });
    const result = await instance.calls.run(call);
    if (result.outcome === 'answered') await result.close('not_written');
    return result.outcome;
  };
  const alertsOf = (...instances: ModelCallsInstance[]) =>
    instances
      .flatMap(({ lines }) => lines)
      .filter(({ event }) => event === 'budget_threshold')
      .map(({ budgetUtilization, context: { scope, spentUSD, budgetUSD } }) => [
        scope,
        budgetUtilization,
        spentUSD,
        budgetUSD,
      ]);
  const limitTo = (deploymentMicroUsd: number) => ({ ...UNLIMITED, deploymentMicroUsd });

  it('are raised at exactly 70, 90 and 100 percent, once', async () => {
    const instance = await fixture.openInstance({ spending: limitTo(1_000) });
    for (const cost of [699, 1, 199, 1, 100]) expect(await spend(instance, cost)).toBe('answered');
    expect(alertsOf(instance)).toEqual([
      ['deployment', 70, 0.0007, 0.001],
      ['deployment', 90, 0.0009, 0.001],
      ['deployment', 100, 0.001, 0.001],
    ]);
    const { body } = await instance.metrics.render();
    for (const threshold of [70, 90, 100]) {
      expect(body).toContain(`memory_llm_budget_alerts_total{scope="deployment",threshold="${threshold}"} 1`);
    }
  });

  it('are not raised again after a restart or a lost store, and only by one of many processes', async () => {
    const instances = await Promise.all([1, 2, 3].map(() => fixture.openInstance({ spending: limitTo(1_000) })));
    for (const [index, cost] of [750, 50, 50].entries()) await spend(instances[index]!, cost);
    expect(alertsOf(...instances)).toEqual([['deployment', 75, 0.00075, 0.001]]);
    fixture.clock.advance(86_400_000);
    await spend(instances[0]!, 700);
    expect(alertsOf(...instances)).toHaveLength(2);
  });

  it('are raised by the next call when a process died between settlement and alert', async () => {
    const coordination = await fixture.createCoordination();
    const dying = await fixture.openInstance({ spending: UNLIMITED, coordination });
    // This instance has no limit and raises no alert, like one that died before it could.
    await spend(dying, 950);
    const next = await fixture.openInstance({ spending: limitTo(1_000), coordination });
    await spend(next, 1);
    expect(alertsOf(next).map(([, percent]) => percent)).toEqual([95.1, 95.1]);
  });

  it('cover the budgets of the deployment, of each tenant and of each provider separately', async () => {
    const spending = { deploymentMicroUsd: 10_000, tenantMicroUsd: 1_000, providersMicroUsd: { claude: 2_000 } };
    const instance = await fixture.openInstance({ spending });
    const other = await fixture.makeTenant();
    await spend(instance, 700);
    await spend(instance, 700, other);
    expect(alertsOf(instance).map(([scope]) => scope)).toEqual(['tenant', 'tenant', 'provider']);
  });

  it('do not block the next call once the budget is raised', async () => {
    const instance = await fixture.openInstance({ spending: limitTo(1_000) });
    await spend(instance, 950);
    expect(await spend(instance, 100)).toBe('refused');
    await setDeploymentBudget(fixture.database, {
      scope: 'deployment',
      limitMicroUsd: 2_000,
      now: fixture.clock.now(),
    });
    expect(await spend(instance, 100)).toBe('answered');
    expect(await spend(instance, 1_500)).toBe('refused');
    await setDeploymentBudget(fixture.database, {
      scope: 'deployment',
      limitMicroUsd: 9_000,
      now: fixture.clock.now(),
    });
    expect(await spend(instance, 3_000)).toBe('answered');
  });

  it('use a limit that was set while running, after one second at most', async () => {
    const instance = await fixture.openInstance({ spending: limitTo(1_000) });
    await spend(instance, 600);
    await setDeploymentBudget(fixture.database, { scope: 'deployment', limitMicroUsd: 601, now: fixture.clock.now() });
    fixture.clock.advance(1_000);
    expect(await spend(instance, 2)).toBe('refused');
    await spend(instance, 1);
    expect(alertsOf(instance).map(([, percent]) => percent)).toEqual([100, 100, 100]);
  });

  it('export the utilisation in every process, also in one that spends nothing', async () => {
    const coordination = await fixture.createCoordination();
    const spending = { deploymentMicroUsd: 1_000, tenantMicroUsd: null, providersMicroUsd: { claude: 500 } };
    const idle = await fixture.openInstance({ spending, coordination });
    const read = async () => {
      const { body } = await idle.metrics.render();
      return [
        ...body.matchAll(/^memory_llm_budget_utilization_percent\{scope="(\w+)",provider="(\w+)"\} (\S+)$/gm),
      ].map(([, scope, provider, value]) => [scope, provider, Number(value)]);
    };
    expect(await read()).toEqual([
      ['deployment', 'all', 0],
      ['provider', 'claude', 0],
    ]);
    await spend(await fixture.openInstance({ spending, coordination }), 125);
    expect(await read()).toEqual([
      ['deployment', 'all', 12.5],
      ['provider', 'claude', 25],
    ]);
  });
});
