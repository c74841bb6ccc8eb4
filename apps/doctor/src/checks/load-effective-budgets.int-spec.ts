import { Database, setDeploymentBudget } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { loadEffectiveBudgets } from './load-effective-budgets.js';

const CONFIGURED = {
  deploymentMicroUsd: 10_000_000,
  tenantMicroUsd: null,
  providersMicroUsd: { claude: 5, openai: null },
  settlingMarginMs: 30_000,
};
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('loadEffectiveBudgets', () => {
  it('overrides configured budgets with those set at runtime', async () => {
    const read = () => loadEffectiveBudgets(database.app.url, CONFIGURED);
    expect(await read()).toEqual({ budgets: CONFIGURED, findings: [] });
    const open = await Database.open(database.app);
    await setDeploymentBudget(open, { scope: 'deployment', limitMicroUsd: 2_000_000, now: 0 });
    await setDeploymentBudget(open, { scope: 'provider', id: 'claude', limitMicroUsd: 0, now: 0 });
    await open.close();
    const { budgets, findings } = await read();
    expect(budgets).toEqual({
      ...CONFIGURED,
      deploymentMicroUsd: 2_000_000,
      providersMicroUsd: { claude: null, openai: null },
    });
    expect(findings[0]!.found).toContain('all models $2.00, claude no limit');
  });
});
