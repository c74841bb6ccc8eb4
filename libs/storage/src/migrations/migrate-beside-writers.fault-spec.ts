import { sized } from '@annals/testing';
import { sqlState } from '../database/errors.js';
import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';
import { MIGRATIONS } from './index.js';

// The embedded database has one backend, so there nobody holds a table.
describe.each([
  { count: 3, held: 'memories' },
  ...sized([], [{ count: 5, held: 'memories' }]),
  ...sized(
    [],
    [
      { count: 10, held: 'batches' },
      { count: 12, held: 'memories' },
      { count: 13, held: 'conversations' },
    ],
  ),
  { count: 16, held: 'mind_watermarks' },
  ...sized([], [{ count: 17, held: 'work' }]),
  { count: 18, held: 'api_keys' },
])('migrate beside writers of a release with $count migrations', ({ count, held }) => {
  let fixture: StorageFixture;
  let tenantId: string;

  beforeEach(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, count);
    tenantId = await fixture.addTenant();
  });
  afterEach(() => fixture.close());

  const NEW = MIGRATIONS.slice(count).map(({ name }) => name);

  it('waits for a writer, and a writer that goes on does not deadlock with it', async () => {
    const waits: number[] = [];
    let migrating: Promise<string[]> | undefined;
    await fixture.inTenant(tenantId, async (tx) => {
      await tx.execute(`INSERT INTO users (user_id, created_at) VALUES ('ada', now())`);
      migrating = migrate(fixture.testDatabase.admin, { onLocked: (attempt) => void waits.push(attempt) });
      await fixture.waitForLockWaits(1, 'the migration waits for the writer');
      for (const table of [
        'conversations',
        'batches',
        'outbox',
        'messages',
        'memories',
        'relations',
        'history',
        'tenants',
      ]) {
        await tx.query(`SELECT FROM ${table} LIMIT 1`);
      }
    });
    expect(await migrating).toEqual(NEW);
    expect(waits).toEqual([]);
  });

  it('gives up on a transaction that stays open, lets others work, and runs when it is tried again', async () => {
    await fixture.inTenant(tenantId, async (tx) => {
      await tx.query(`SELECT FROM ${held} LIMIT 1`);
      const refused = await migrate(fixture.testDatabase.admin, { lockAttempts: 1 }).catch(sqlState);
      expect(refused).toBe('55P03');
      await fixture.inTenant(tenantId, (other) =>
        other.execute(`INSERT INTO users (user_id, created_at) VALUES ('ada', now())`),
      );
    });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const holding = fixture.inTenant(tenantId, async (tx) => {
      await tx.query(`SELECT FROM ${held} LIMIT 1`);
      await released;
    });
    const attempts: number[] = [];
    const onLocked = (attempt: number) => {
      attempts.push(attempt);
      release();
    };
    expect(await migrate(fixture.testDatabase.admin, { onLocked })).toEqual(NEW);
    expect(attempts).toEqual([1]);
    await holding;
  });
});
