import { lockExistingUser, lockUser } from '../audit/user-chain.js';
import { claimBatch } from '../batches/claim-batch.js';
import { failBatch } from '../batches/fail-and-replay.js';
import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { requestVectors } from '../memories/embeddings.js';
import { migrate } from '../migrate.js';
import { measureWork } from '../work/measure-work.js';
import { PostgresWorkStore } from '../work/postgres-work-store.js';
import { GeneralizeWork1764200000000 } from './1764200000000-GeneralizeWork.js';
import { MIGRATIONS } from './index.js';

const EARLIER = MIGRATIONS.indexOf(GeneralizeWork1764200000000);
const STATES = ['waiting', 'later', 'leased', 'released'] as const;
type State = (typeof STATES)[number];
const LEASE_MS = 10_000;

describe('an outbox of the release before', () => {
  let fixture: StorageFixture;
  let store: PostgresWorkStore;
  let tenant: string;
  let batches: Record<State, string>;
  let at: Date;
  let usersFileBefore: unknown;
  const now = () => fixture.clock.now();
  const in1s = () => new Date(now() + 1_000);

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, EARLIER);
    at = new Date(now());
    tenant = await fixture.addTenant();
    await fixture.queryAsSuperuser(
      `INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, 'ada', $2), ($1, 'bob', $2), ($1, 'cid', $2)`,
      [tenant, at],
    );
    batches = Object.fromEntries(STATES.map((state) => [state, fixture.ids.next()])) as Record<State, string>;
    for (const state of STATES) await addBatch(batches[state], state);
    usersFileBefore = await readUsersFile();
    await migrate(fixture.testDatabase.admin);
    store = new PostgresWorkStore(fixture.database);
  });
  afterAll(() => fixture?.close());

  const EARLIER_INSERT = `INSERT INTO outbox (tenant_id, id, queue, batch_id, generation, available_at, rank_at, leased_until, released_at, created_at)
     VALUES ($1, $2, 'extraction', $3, 1, $4, $4::timestamptz - interval '60 s', $5, $6, $7)`;

  async function addBatch(id: string, state: State): Promise<void> {
    const conversation = fixture.ids.next();
    await fixture.queryAsSuperuser(
      `INSERT INTO conversations (tenant_id, id, user_id, thread_id, message_count, created_at, updated_at)
       VALUES ($1, $2::uuid, 'ada', $2::text, 1, $3, $3)`,
      [tenant, conversation, at],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO batches (tenant_id, id, conversation_id, user_id, state, message_count, sealed_at, accepted_at)
       VALUES ($1, $2, $3, 'ada', 'queued', 1, $4, $4)`,
      [tenant, id, conversation, at],
    );
    await fixture.queryAsSuperuser(EARLIER_INSERT, [
      tenant,
      fixture.ids.next(),
      id,
      state === 'later' ? in1s() : at,
      state === 'leased' ? in1s() : null,
      state === 'released' ? at : null,
      at,
    ]);
  }

  /** Another one after every rewrite of the table. */
  const readUsersFile = async () =>
    (await fixture.queryAsSuperuser<{ file: unknown }>(`SELECT pg_relation_filenode('annals.users') AS file`))[0]!.file;

  const lease = async () => (await store.lease({ now: now(), limit: 10, perTenant: 10, leaseMs: LEASE_MS })).rows;
  /** What a process of the release before calls and sends. */
  const leaseAsBefore = () =>
    fixture.database.callAcrossTenants<{ queue: string; batch_id: string; bulk: boolean }>('lease_outbox', [
      new Date(now()),
      10,
      10,
      LEASE_MS,
      '',
      '00000000-0000-0000-0000-000000000000',
    ]);

  // In order: each goes on with what the ones before it left.
  it('keeps what waits, is leased and was released, as work about batches', async () => {
    expect(
      (await measureWork(fixture.database, now())).filter(({ due, inFlight }) => due + inFlight > 0),
    ).toMatchObject([{ kind: 'extraction', due: 2, scheduled: 1, inFlight: 1, failed: 0 }]);
    const rows = await lease();
    expect(rows).toMatchObject([{ kind: 'extraction', subjectId: batches.waiting, generation: 1, bulk: false }]);
    expect(await store.lease({ now: now(), limit: 10, perTenant: 10, leaseMs: 1 })).toEqual({
      rows: [],
      nextDueAt: now() + 1_000,
    });
    fixture.clock.advance(1_000);
    expect((await lease()).map(({ subjectId }) => subjectId).toSorted()).toEqual(
      [batches.later, batches.leased].toSorted(),
    );
    const suspects = await store.findSuspects({ now: now(), releasedBefore: now(), recheckAfterMs: 1, limit: 10 });
    expect(suspects).toMatchObject([{ subjectId: batches.released }]);
    expect(await store.returnToWaiting(suspects, now())).toBe(1);
  });

  it('gives every user an id of their own as subject with their next write or request, and rewrites no table', async () => {
    expect(await readUsersFile()).toBe(usersFileBefore);
    const read = async () =>
      (
        await fixture.queryAsSuperuser<{ subject_id: string | null }>('SELECT subject_id FROM users ORDER BY user_id')
      ).map((row) => row.subject_id);
    expect(await read()).toEqual([null, null, null]);
    const lock = () =>
      fixture.inTenant(tenant, async (tx) => [
        (await lockUser(tx, 'ada', now())).subjectId,
        (await lockExistingUser(tx, 'bob')).user?.subjectId,
        (await lockUser(tx, 'dan', now())).subjectId,
      ]);
    const request = () =>
      fixture.inTenant(tenant, (tx) => requestVectors(tx, 'cid', { now: now(), ids: fixture.ids, failedUntil: now() }));
    const locked = await lock();
    expect([await request(), await request()]).toEqual([1, 0]);
    const [ada, bob, cid, dan] = await read();
    expect(locked).toEqual([ada, bob, dan]);
    expect(new Set([ada, bob, cid, dan, null]).size).toBe(5);
    expect(await lock()).toEqual(locked);
    expect(await fixture.queryAsSuperuser(`SELECT subject_id FROM work WHERE kind = 'vectors'`)).toEqual([
      { subject_id: cid },
    ]);
  });

  it('is there for processes of that release that still run, without the kinds that they do not know', async () => {
    const [{ subject_id: subject }] = (await fixture.queryAsSuperuser<{ subject_id: string }>(
      `SELECT subject_id FROM users WHERE user_id = 'bob'`,
    )) as [{ subject_id: string }];
    await fixture.queryAsSuperuser(
      `INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, released_at, created_at)
       VALUES ($1, $2, 'vectors', $3, 1, $4, $4, $4, $4)`,
      [tenant, fixture.ids.next(), subject, at],
    );
    fixture.clock.advance(LEASE_MS);
    const rows = await leaseAsBefore();
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map((row) => row.queue))).toEqual(new Set(['extraction']));
    const old = fixture.database;
    const ids = rows as unknown as { tenant_id: string; id: string; generation: number }[];
    const columns = [ids.map((row) => row.tenant_id), ids.map((row) => row.id), ids.map((row) => row.generation)];
    await old.callAcrossTenants('mark_outbox_released', [...columns, new Date(now())]);
    const suspects = await old.callAcrossTenants<{ queue: string }>('suspect_outbox', [
      new Date(now()),
      new Date(now()),
      1,
      10,
    ]);
    expect(suspects).toHaveLength(4);
    expect(await old.callScalarAcrossTenants('return_outbox', [...columns, new Date(now())])).toBe(4);
    expect(await old.callAcrossTenants('outbox_depth')).toMatchObject([{ queue: 'extraction', waiting: '4' }]);
    expect(await old.callScalarAcrossTenants('next_outbox_due', [new Date(0)])).toBeInstanceOf(Date);
  });

  it('takes the statements of that release', async () => {
    const { waiting: batchId } = batches;
    const run = (sql: string, parameters: unknown[]) => fixture.inTenant(tenant, (tx) => tx.execute(sql, parameters));
    // Extraction ends, defers, and is sealed or raised by another post; persistence and failure end the row.
    const statements: [string, unknown[]][] = [
      [
        `UPDATE outbox SET available_at = $2, rank_at = $2::timestamptz - (available_at - rank_at)
          WHERE batch_id = ANY ($1) AND released_at IS NULL AND available_at > $2`,
        [[batchId], new Date(0)],
      ],
      [
        `UPDATE outbox SET rank_at = available_at - $2 * interval '1 millisecond' WHERE batch_id = $1 AND released_at IS NULL`,
        [batchId, 60_000],
      ],
      [
        `UPDATE outbox
            SET id = $2, queue = 'persistence', generation = $3, available_at = $4, rank_at = $4, leased_until = NULL,
                released_at = NULL, checked_at = NULL, trace = coalesce($5, trace)
          WHERE batch_id = $1 AND queue = 'extraction'`,
        [batchId, fixture.ids.next(), 2, at, null],
      ],
      ['DELETE FROM outbox WHERE batch_id = $1', [batchId]],
    ];
    for (const [sql, parameters] of statements) expect(await run(sql, parameters)).toBe(1);
    expect(
      await run(
        `INSERT INTO outbox (id, queue, batch_id, generation, available_at, rank_at, trace, created_at)
         VALUES ($1, 'extraction', $2, 3, $3, $3, NULL, $3)`,
        [fixture.ids.next(), batchId, at],
      ),
    ).toBe(1);
    expect(
      await fixture.queryAsSuperuser('SELECT tenant_id, kind, generation, fence FROM work WHERE subject_id = $1', [
        batchId,
      ]),
    ).toEqual([{ tenant_id: tenant, kind: 'extraction', generation: 3, fence: '0' }]);
  });

  it('is worked on by both releases', async () => {
    const { released: batchId } = batches;
    const [{ generation }] = (await fixture.queryAsSuperuser<{ generation: number }>(
      'SELECT generation FROM batches WHERE id = $1',
      [batchId],
    )) as [{ generation: number }];
    const claim = { batchId, kind: 'extraction', generation, now: now(), leaseMs: LEASE_MS } as const;
    expect(await fixture.inTenant(tenant, (tx) => claimBatch(tx, claim))).toMatchObject({ outcome: 'claimed' });
    const failure = { batchId, kind: 'extraction', generation, code: 'x', message: 'No.', now: now() } as const;
    expect(await fixture.inTenant(tenant, (tx) => failBatch(tx, failure))).toBe(true);
    expect(await fixture.queryAsSuperuser('SELECT FROM outbox WHERE batch_id = $1', [batchId])).toEqual([]);
  });
});
