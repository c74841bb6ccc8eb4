import { RESERVED_MICRO_USD, reserve, buildSettlement } from '../fixtures/model-call.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { raiseBudgetEpoch } from '../ledger/reconcile.js';
import { settleReservation } from '../ledger/settle-reservation.js';
import { deleteTenant } from '../tenants/tenants.js';
import { readDeploymentBudgetUsage, readTenantBudgetUsage } from './budgets.js';

describe('budget usage', () => {
  let fixture: StorageFixture;
  let day: string;
  let first: string;
  let second: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    day = new Date(fixture.clock.now()).toISOString().slice(0, 10);
    [first, second] = [await fixture.addTenant(), await fixture.addTenant()];
    const paid = await reserve(fixture, first, { provider: 'claude' });
    await fixture.inTenant(first, (tx) => settleReservation(tx, buildSettlement(fixture, paid, { costMicroUsd: 30 })));
    await reserve(fixture, first, { provider: 'openai' });
    const other = await reserve(fixture, second, { provider: 'claude' });
    await fixture.inTenant(second, (tx) =>
      settleReservation(tx, buildSettlement(fixture, other, { costMicroUsd: 12 })),
    );
    await reserve(fixture, second, { day: '2020-01-01' });
  });
  afterAll(() => fixture.close());

  const usage = (spentMicroUsd: number, reservedMicroUsd = 0) => ({ spentMicroUsd, reservedMicroUsd });

  it("returns a tenant's own usage", async () => {
    const read = (tenant: string) => fixture.inTenant(tenant, (tx) => readTenantBudgetUsage(tx, day));
    expect(await read(first)).toEqual(usage(30, RESERVED_MICRO_USD));
    expect(await read(second)).toEqual(usage(12));
    expect(await read(await fixture.addTenant())).toEqual(usage(0));
  });

  it('sums up all tenants, by provider', async () => {
    expect(await readDeploymentBudgetUsage(fixture.database, day)).toEqual({
      deployment: usage(42, RESERVED_MICRO_USD),
      providers: new Map([
        ['claude', usage(42)],
        ['openai', usage(0, RESERVED_MICRO_USD)],
      ]),
    });
  });

  it('keeps the spend of a deleted tenant, and charges its calls that were still running', async () => {
    const { epoch } = await raiseBudgetEpoch(fixture.database, day);
    await deleteTenant(fixture.database, first);
    expect((await readDeploymentBudgetUsage(fixture.database, day)).deployment).toEqual(usage(42 + RESERVED_MICRO_USD));
    const after = await raiseBudgetEpoch(fixture.database, day);
    // The deletion raises it once, so that each store rebuilds its counters, and this call once more.
    expect(after.epoch).toBe(epoch + 2);
    expect(after.reservations).toEqual([]);
    expect([...after.spentByTenant.values()].toSorted((a, b) => a - b)).toEqual([12, 30 + RESERVED_MICRO_USD]);
    expect(after.spentByProvider).toEqual(
      new Map([
        ['claude', 42],
        ['openai', RESERVED_MICRO_USD],
      ]),
    );
  });
});
