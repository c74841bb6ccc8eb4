import { sized } from '@annals/testing';
import { buildReservation } from '../fixtures/model-call.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { FOREIGN_KEY_VIOLATION, isTransientDatabaseError, sqlState } from '../database/errors.js';
import { openReservation } from '../ledger/open-reservation.js';
import { raiseBudgetEpoch } from '../ledger/reconcile.js';
import { deleteTenant } from './tenants.js';

const CALLERS = sized(8, 16);
const ROUNDS = sized(10, 30);

// The embedded database serializes transactions, so the race cannot happen there.
describe('deleteTenant with concurrent admissions', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open({ poolSize: CALLERS + 2 });
  });
  afterAll(() => fixture.close());

  it('does not deadlock, and leaves no reservation', async () => {
    const transient: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = await fixture.addTenant();
      const gone = new Set<string>();
      const call = async () => {
        while (gone.size === 0) {
          const opened = fixture.inTenant(tenant, (tx) => openReservation(tx, buildReservation(fixture)));
          const failure: unknown = await opened.then(
            () => null,
            (error: unknown) => error,
          );
          if (isTransientDatabaseError(failure)) transient.push(failure);
          if (sqlState(failure) === FOREIGN_KEY_VIOLATION) return;
        }
      };
      const remove = async () => {
        await raiseBudgetEpoch(fixture.database, '2026-01-05');
        await deleteTenant(fixture.database, tenant).catch((error: unknown) => transient.push(error));
        gone.add(tenant);
      };
      await Promise.all([...Array.from({ length: CALLERS }, call), remove()]);
      expect(transient.map((error) => String((error as Error).cause ?? error))).toEqual([]);
      expect(await fixture.queryAsSuperuser('SELECT FROM reservations WHERE tenant_id = $1', [tenant])).toEqual([]);
    }
  });
});
