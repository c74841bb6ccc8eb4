import { waitUntil } from '@annals/testing';
import { reservationOf } from '../contract/call.contract.js';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { openReservation, raiseBudgetEpoch, type LedgerSnapshot } from './index.js';

const DAY = '2026-01-05';

// The embedded database runs one transaction at a time, so there the two never meet.
describe('an epoch that is raised while a reservation is opened', () => {
  let bench: StorageBench;

  beforeAll(async () => {
    bench = await StorageBench.open();
  });
  afterAll(() => bench.close());

  it('waits for its commit, and counts it', async () => {
    const tenant = await bench.addTenant();
    const reservation = reservationOf(bench);
    const locks = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event = 'advisory'`;
    let raised: Promise<LedgerSnapshot> | undefined;
    const opened = await bench.inTenant(tenant, async (tx) => {
      const { epoch } = await openReservation(tx, reservation);
      raised = raiseBudgetEpoch(bench.database, DAY);
      await waitUntil(async () => (await bench.look(locks, [bench.place.name])).length === 1, {
        describe: 'raising waits for the reservation',
      });
      return epoch;
    });
    expect(opened).toBe(0);
    const { epoch, holds } = (await raised)!;
    expect({ epoch, held: holds.map((hold) => hold.reservationId) }).toEqual({ epoch: 1, held: [reservation.id] });
  });
});
