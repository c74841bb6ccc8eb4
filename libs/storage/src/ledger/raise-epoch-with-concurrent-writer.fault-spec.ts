import { waitUntil } from '@annals/testing';
import { buildReservation } from '../fixtures/model-call.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { openReservation } from './open-reservation.js';
import { raiseBudgetEpoch, type LedgerSnapshot } from './reconcile.js';

const DAY = '2026-01-05';

// The embedded database serializes transactions, so the race cannot happen there.
describe('raiseBudgetEpoch during the opening of a reservation', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  it('waits for its commit, and includes it', async () => {
    const tenant = await fixture.addTenant();
    const reservation = buildReservation(fixture);
    const locks = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event = 'advisory'`;
    let raised: Promise<LedgerSnapshot> | undefined;
    const opened = await fixture.inTenant(tenant, async (tx) => {
      const { epoch } = await openReservation(tx, reservation);
      raised = raiseBudgetEpoch(fixture.database, DAY);
      await waitUntil(async () => (await fixture.queryAsSuperuser(locks, [fixture.testDatabase.name])).length === 1, {
        describe: 'raising the epoch waits for the reservation',
      });
      return epoch;
    });
    expect(opened).toBe(0);
    const { epoch, reservations } = (await raised)!;
    expect({ epoch, held: reservations.map(({ reservationId }) => reservationId) }).toEqual({
      epoch: 1,
      held: [reservation.id],
    });
  });
});
