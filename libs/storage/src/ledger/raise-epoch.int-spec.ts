import { reserve, buildReservation, buildSettlement } from '../fixtures/model-call.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { openReservation } from './open-reservation.js';
import { raiseBudgetEpoch, type LedgerSnapshot } from './reconcile.js';
import { settleReservation } from './settle-reservation.js';

const DAY = '2026-01-05';
const TENANTS = 4;
const WRITERS = 16;
const CALLS = 12;
const RAISERS = 3;

describe('raiseBudgetEpoch', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open({ poolSize: WRITERS + RAISERS });
  });
  beforeEach(() => fixture.queryAsSuperuser('TRUNCATE reservations, usage, budget_epochs'));
  afterAll(() => fixture.close());

  it('returns the spend of a day by tenant and provider, and the open reservations of all tenants', async () => {
    const [mine, theirs] = [await fixture.addTenant(), await fixture.addTenant()];
    const spend = async (tenant: string, provider: string, costMicroUsd: number, day = DAY) => {
      const id = await reserve(fixture, tenant, { provider, day });
      await fixture.inTenant(tenant, (tx) => settleReservation(tx, buildSettlement(fixture, id, { costMicroUsd })));
    };
    await spend(mine, 'claude', 10);
    await spend(mine, 'openai', 1);
    await spend(theirs, 'claude', 200);
    await spend(theirs, 'claude', 5_000, '2026-01-04');
    const open = await reserve(fixture, theirs, { provider: 'openai', amountMicroUsd: 70 });
    await reserve(fixture, theirs, { day: '2026-01-06' });
    expect(await raiseBudgetEpoch(fixture.database, DAY)).toEqual({
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
      reservations: [{ reservationId: open, day: DAY, tenantId: theirs, provider: 'openai', amountMicroUsd: 70 }],
    });
  });

  it('returns an empty day, and a higher epoch each time', async () => {
    const nothing = { day: DAY, spentByTenant: new Map(), spentByProvider: new Map(), reservations: [] };
    expect(await raiseBudgetEpoch(fixture.database, DAY)).toEqual({ ...nothing, epoch: 1 });
    expect(await raiseBudgetEpoch(fixture.database, DAY)).toEqual({ ...nothing, epoch: 2 });
    expect(await raiseBudgetEpoch(fixture.database, '2026-01-06')).toEqual({ ...nothing, day: '2026-01-06', epoch: 1 });
  });

  // Each call reserves one micro-USD and costs one, so that open plus spent equals the number of calls.
  it('includes exactly the calls of an earlier epoch, with concurrent openings, settlements and raises', async () => {
    const tenants = await Promise.all(Array.from({ length: TENANTS }, () => fixture.addTenant()));
    const openedUnder: number[] = [];
    const finished = new Set<number>();
    const write = async (writer: number) => {
      const tenant = tenants[writer % TENANTS]!;
      for (let call = 0; call < CALLS; call++) {
        const reservation = buildReservation(fixture, { amountMicroUsd: 1, provider: `p${writer % 2}` });
        const { epoch } = await fixture.inTenant(tenant, (tx) => openReservation(tx, reservation));
        openedUnder.push(epoch);
        if (call % 2 === 1) continue;
        const settlement = buildSettlement(fixture, reservation.id, { costMicroUsd: 1 });
        await fixture.inTenant(tenant, (tx) => settleReservation(tx, settlement));
      }
      finished.add(writer);
    };
    const snapshots: LedgerSnapshot[] = [];
    const raise = async () => {
      do snapshots.push(await raiseBudgetEpoch(fixture.database, DAY));
      while (finished.size < WRITERS);
    };
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
      ...Array.from({ length: RAISERS }, raise),
    ]);
    expect(openedUnder).toHaveLength(WRITERS * CALLS);
    const sum = (spent: ReadonlyMap<string, number>) => [...spent.values()].reduce((total, cost) => total + cost, 0);
    for (const { epoch, spentByTenant, spentByProvider, reservations } of snapshots) {
      const before = openedUnder.filter((under) => under < epoch).length;
      expect({ epoch, counted: reservations.length + sum(spentByTenant) }).toEqual({ epoch, counted: before });
      expect(sum(spentByProvider)).toBe(sum(spentByTenant));
    }
    const epochs = snapshots.map((snapshot) => snapshot.epoch).toSorted((a, b) => a - b);
    expect(epochs).toEqual(snapshots.map((_, index) => index + 1));
  });
});
