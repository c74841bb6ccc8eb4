import { reserve, reservationOf, settlementOf } from '../contract/call.contract.js';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { openReservation, raiseBudgetEpoch, settleReservation, type LedgerSnapshot } from './index.js';

const DAY = '2026-01-05';
const TENANTS = 4;
const WRITERS = 16;
const CALLS = 12;
const RAISERS = 3;

describe('raiseBudgetEpoch', () => {
  let bench: StorageBench;

  beforeAll(async () => {
    bench = await StorageBench.open({ poolSize: WRITERS + RAISERS });
  });
  beforeEach(() => bench.look('TRUNCATE reservations, usage, budget_epochs'));
  afterAll(() => bench.close());

  it('answers what a day has cost by tenant and provider, and what is open, of all tenants', async () => {
    const [mine, theirs] = [await bench.addTenant(), await bench.addTenant()];
    const spend = async (tenant: string, provider: string, costMicroUsd: number, day = DAY) => {
      const id = await reserve(bench, tenant, { provider, day });
      await bench.inTenant(tenant, (tx) => settleReservation(tx, settlementOf(bench, id, { costMicroUsd })));
    };
    await spend(mine, 'claude', 10);
    await spend(mine, 'openai', 1);
    await spend(theirs, 'claude', 200);
    await spend(theirs, 'claude', 5_000, '2026-01-04');
    const open = await reserve(bench, theirs, { provider: 'openai', amountMicroUsd: 70 });
    await reserve(bench, theirs, { day: '2026-01-06' });
    expect(await raiseBudgetEpoch(bench.database, DAY)).toEqual({
      day: DAY,
      epoch: 1,
      spentByTenant: new Map([
        [mine, 11],
        [theirs, 200],
      ]),
      spentByProvider: new Map([
        ['claude', 210],
        ['openai', 1],
      ]),
      holds: [{ reservationId: open, day: DAY, tenantId: theirs, provider: 'openai', amountMicroUsd: 70 }],
    });
  });

  it('answers an empty day, and a higher epoch each time', async () => {
    const nothing = { day: DAY, spentByTenant: new Map(), spentByProvider: new Map(), holds: [] };
    expect(await raiseBudgetEpoch(bench.database, DAY)).toEqual({ ...nothing, epoch: 1 });
    expect(await raiseBudgetEpoch(bench.database, DAY)).toEqual({ ...nothing, epoch: 2 });
    expect(await raiseBudgetEpoch(bench.database, '2026-01-06')).toEqual({ ...nothing, day: '2026-01-06', epoch: 1 });
  });

  // Each call holds one micro-USD and costs one, so that open and spent together count the calls.
  it('counts exactly the calls that were opened under a former epoch, while many open, settle and raise', async () => {
    const tenants = await Promise.all(Array.from({ length: TENANTS }, () => bench.addTenant()));
    const openedUnder: number[] = [];
    const finished = new Set<number>();
    const write = async (writer: number) => {
      const tenant = tenants[writer % TENANTS]!;
      for (let call = 0; call < CALLS; call++) {
        const reservation = reservationOf(bench, { amountMicroUsd: 1, provider: `p${writer % 2}` });
        const { epoch } = await bench.inTenant(tenant, (tx) => openReservation(tx, reservation));
        openedUnder.push(epoch);
        if (call % 2 === 1) continue;
        const settlement = settlementOf(bench, reservation.id, { costMicroUsd: 1 });
        await bench.inTenant(tenant, (tx) => settleReservation(tx, settlement));
      }
      finished.add(writer);
    };
    const snapshots: LedgerSnapshot[] = [];
    const raise = async () => {
      do snapshots.push(await raiseBudgetEpoch(bench.database, DAY));
      while (finished.size < WRITERS);
    };
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
      ...Array.from({ length: RAISERS }, raise),
    ]);
    expect(openedUnder).toHaveLength(WRITERS * CALLS);
    const sum = (spent: ReadonlyMap<string, number>) => [...spent.values()].reduce((total, cost) => total + cost, 0);
    for (const { epoch, spentByTenant, spentByProvider, holds } of snapshots) {
      const before = openedUnder.filter((under) => under < epoch).length;
      expect({ epoch, counted: holds.length + sum(spentByTenant) }).toEqual({ epoch, counted: before });
      expect(sum(spentByProvider)).toBe(sum(spentByTenant));
    }
    const epochs = snapshots.map((snapshot) => snapshot.epoch).toSorted((a, b) => a - b);
    expect(epochs).toEqual(snapshots.map((_, index) => index + 1));
  });
});
