import { RESERVED_MICRO_USD, reserve, settlementOf } from '../contract/call.contract.js';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { raiseBudgetEpoch, settleReservation } from '../ledger/index.js';
import { deleteTenant } from '../tenants/index.js';
import { readDeploymentStanding, readTenantStanding } from './index.js';

describe('where budgets stand', () => {
  let bench: StorageBench;
  let day: string;
  let first: string;
  let second: string;

  beforeAll(async () => {
    bench = await StorageBench.open();
    day = new Date(bench.clock.now()).toISOString().slice(0, 10);
    [first, second] = [await bench.addTenant(), await bench.addTenant()];
    const paid = await reserve(bench, first, { provider: 'claude' });
    await bench.inTenant(first, (tx) => settleReservation(tx, settlementOf(bench, paid, { costMicroUsd: 30 })));
    await reserve(bench, first, { provider: 'openai' });
    const other = await reserve(bench, second, { provider: 'claude' });
    await bench.inTenant(second, (tx) => settleReservation(tx, settlementOf(bench, other, { costMicroUsd: 12 })));
    await reserve(bench, second, { day: '2020-01-01' });
  });
  afterAll(() => bench.close());

  const standing = (spentMicroUsd: number, heldMicroUsd = 0) => ({ spentMicroUsd, heldMicroUsd });

  it('shows a tenant its own', async () => {
    const read = (tenant: string) => bench.inTenant(tenant, (tx) => readTenantStanding(tx, day));
    expect(await read(first)).toEqual(standing(30, RESERVED_MICRO_USD));
    expect(await read(second)).toEqual(standing(12));
    expect(await read(await bench.addTenant())).toEqual(standing(0));
  });

  it('adds up all tenants, by provider', async () => {
    expect(await readDeploymentStanding(bench.database, day)).toEqual({
      deployment: standing(42, RESERVED_MICRO_USD),
      providers: new Map([
        ['claude', standing(42)],
        ['openai', standing(0, RESERVED_MICRO_USD)],
      ]),
    });
  });

  it('gives no money back by deleting a tenant, and charges the calls it still had running', async () => {
    const { epoch } = await raiseBudgetEpoch(bench.database, day);
    await deleteTenant(bench.database, first);
    expect((await readDeploymentStanding(bench.database, day)).deployment).toEqual(standing(42 + RESERVED_MICRO_USD));
    const after = await raiseBudgetEpoch(bench.database, day);
    // One step by the deletion, so that every store reads anew, and one by this look.
    expect(after.epoch).toBe(epoch + 2);
    expect(after.holds).toEqual([]);
    expect([...after.spentByTenant.values()].toSorted((a, b) => a - b)).toEqual([12, 30 + RESERVED_MICRO_USD]);
    expect(after.spentByProvider).toEqual(
      new Map([
        ['claude', 42],
        ['openai', RESERVED_MICRO_USD],
      ]),
    );
  });
});
