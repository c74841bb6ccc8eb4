import { ThreadRevisionEntity } from '../entities/change-log.entity.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { sqlState, UNIQUE_VIOLATION } from './errors.js';
import { allOf, MAX_PREPARED_STATEMENTS, type Tx } from './transaction.js';

const READ_ONLY_TRANSACTION = '25006';

const setRevision = (tx: Tx, thread: string, rev: number) =>
  tx.execute('INSERT INTO thread_revisions (user_id, thread_id, rev) VALUES ($1, $2, $3)', ['ada', thread, rev]);
const readThreads = async (tx: Tx) => {
  const rows = await tx.query<{ thread_id: string }>('SELECT thread_id FROM thread_revisions ORDER BY thread_id');
  return rows.map((row) => row.thread_id);
};

// One connection where a spec checks what a transaction leaves behind.
describe.each([{ prepared: false }, { prepared: true }])('Database with prepared: $prepared', ({ prepared }) => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open({ prepared, poolSize: 1 });
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  it('commits the writes of the callback, and returns its result', async () => {
    const written = await fixture.inTenant(tenant, (tx) => setRevision(tx, 'a', 1));
    expect(written).toBe(1);
    expect(
      await fixture.queryAsSuperuser('SELECT thread_id, rev FROM thread_revisions WHERE tenant_id = $1', [tenant]),
    ).toEqual([{ thread_id: 'a', rev: '1' }]);
  });

  it('rolls everything back when the callback throws, also what was not awaited', async () => {
    const failed = fixture.inTenant(tenant, async (tx) => {
      await setRevision(tx, 'a', 1);
      void setRevision(tx, 'b', 1);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await fixture.inTenant(tenant, readThreads)).toEqual([]);
  });

  it('fails the transaction when one statement of a group fails, and leaves the connection usable', async () => {
    await fixture.inTenant(tenant, (tx) => setRevision(tx, 'a', 1));
    const failed = fixture.inTenant(tenant, (tx) =>
      allOf([setRevision(tx, 'b', 1), setRevision(tx, 'a', 2), setRevision(tx, 'c', 1)]),
    );
    expect(await failed.then(() => undefined, sqlState)).toBe(UNIQUE_VIOLATION);
    expect(await fixture.inTenant(tenant, readThreads)).toEqual(['a']);
    expect(fixture.database.poolStats).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  it('executes the statements that were deferred to the commit', async () => {
    await fixture.inTenant(tenant, async (tx) => tx.atCommit(setRevision(tx, 'a', 1), setRevision(tx, 'b', 1)));
    expect(await fixture.inTenant(tenant, readThreads)).toEqual(['a', 'b']);
  });

  it('fails with the error of a deferred statement, also when later ones fail because of it', async () => {
    const late = fixture.inTenant(tenant, async (tx) => tx.atCommit(setRevision(tx, 'a', 1), setRevision(tx, 'a', 2)));
    expect(await late.then(() => undefined, sqlState)).toBe(UNIQUE_VIOLATION);
    const hidden = fixture.inTenant(tenant, async (tx) => {
      tx.atCommit(setRevision(tx, 'b', 1), setRevision(tx, 'b', 2));
      await setRevision(tx, 'c', 1);
    });
    expect(await hidden.then(() => undefined, sqlState)).toBe(UNIQUE_VIOLATION);
    expect(await fixture.inTenant(tenant, readThreads)).toEqual([]);
  });

  it('rejects a statement that is started after the callback, which would run without a tenant', async () => {
    const late = fixture.inTenant(tenant, async (tx) =>
      tx.atCommit(new Promise(setImmediate).then(() => setRevision(tx, 'late', 1))),
    );
    await expect(late).rejects.toThrow('The transaction has ended');
    expect(await fixture.queryAsSuperuser('SELECT FROM thread_revisions WHERE tenant_id = $1', [tenant])).toEqual([]);
  });

  it('rejects a statement that is started after the callback has failed', async () => {
    let late: Promise<unknown> | undefined;
    const failed = fixture.inTenant(tenant, (tx) => {
      late = failed.catch(() => setRevision(tx, 'late', 1));
      return Promise.reject(new Error('The callback failed.'));
    });
    await expect(failed).rejects.toThrow('The callback failed.');
    await expect(late).rejects.toThrow('The transaction has ended');
    expect(await fixture.queryAsSuperuser('SELECT FROM thread_revisions WHERE tenant_id = $1', [tenant])).toEqual([]);
  });

  it('fails when the callback swallowed the error of a statement', async () => {
    const swallowed = fixture.inTenant(tenant, async (tx) => {
      await setRevision(tx, 'a', 1);
      await setRevision(tx, 'a', 2).catch(() => undefined);
      return 'fine';
    });
    await expect(swallowed).rejects.toThrow(/was rolled back/);
    expect(await fixture.inTenant(tenant, readThreads)).toEqual([]);
  });

  it('runs a statement after one that could not be parsed', async () => {
    const broken = fixture.inTenant(tenant, (tx) => tx.query('SELECT FROM no_such_table'));
    expect(await broken.then(() => undefined, sqlState)).toBe('42P01');
    const rows = await fixture.inTenant(tenant, (tx) =>
      allOf([tx.query('SELECT $1::int AS n', [1]), tx.query('SELECT $1::int AS n', [2])]),
    );
    expect(rows).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });

  it('parses a statement once per connection when prepared', async () => {
    const repeat = () => fixture.inTenant(tenant, (tx) => tx.query('SELECT 7 AS found_by_its_text'));
    await repeat();
    await repeat();
    const [row] = await fixture.inTenant(tenant, (tx) =>
      tx.query<{ count: string }>(
        "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT 7 AS found_by_its_text%'",
      ),
    );
    expect(Number(row!.count)).toBe(prepared ? 1 : 0);
  });

  it('runs the statements of a repository in its transaction, for its tenant, and does not prepare them', async () => {
    const add = (tx: Tx, thread_id: string) =>
      tx.repository(ThreadRevisionEntity).insert({ user_id: 'ada', thread_id, rev: '9007199254740993' });
    const failed = fixture.inTenant(tenant, async (tx) => {
      await add(tx, 'undone');
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await fixture.inTenant(tenant, (tx) => add(tx, 'a'));
    const list = (tx: Tx) => tx.repository(ThreadRevisionEntity).find();
    expect(await fixture.database.readTenant(tenant, list)).toEqual([
      { tenant_id: tenant, user_id: 'ada', thread_id: 'a', rev: '9007199254740993' },
    ]);
    expect(await fixture.database.readTenant(await fixture.addTenant(), list)).toEqual([]);
    const duplicate = fixture.inTenant(tenant, (tx) => add(tx, 'a'));
    expect(await duplicate.then(() => undefined, sqlState)).toBe(UNIQUE_VIOLATION);
    const [row] = await fixture.inTenant(tenant, (tx) =>
      tx.query<{ count: string }>('SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE $1', [
        '%"annals"."thread_revisions"%',
      ]),
    );
    expect(row!.count).toBe('0');
    expect(fixture.database.poolStats).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  it('accepts only a UUID as tenant id', async () => {
    const calls = ["'; DROP SCHEMA annals CASCADE; --", '', tenant.toUpperCase(), `${tenant} `];
    for (const id of calls) await expect(fixture.inTenant(id, readThreads)).rejects.toThrow(/lower-case UUID/);
  });

  it("reads without waiting for the transaction's end, and rejects writes", async () => {
    await fixture.inTenant(tenant, (tx) => setRevision(tx, 'a', 1));
    expect(await fixture.database.readTenant(tenant, readThreads)).toEqual(['a']);
    const write = fixture.database.readTenant(tenant, (tx) => setRevision(tx, 'b', 1));
    expect(await write.then(() => undefined, sqlState)).toBe(READ_ONLY_TRANSACTION);
    await expect(
      fixture.database.readTenant(tenant, async () => {
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await fixture.inTenant(tenant, readThreads)).toEqual(['a']);
    expect(fixture.database.poolStats).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  it("reads in one round trip, and rejects a statement after the transaction's end", async () => {
    await fixture.inTenant(tenant, (tx) => setRevision(tx, 'once', 1));
    const both = fixture.database.readTenantPipelined(tenant, (tx) => allOf([readThreads(tx), readThreads(tx)]));
    const [threads, again] = await both;
    expect(threads).toContain('once');
    expect(again).toEqual(threads);
    const late = fixture.database.readTenantPipelined(tenant, async (tx) => {
      await readThreads(tx);
      return readThreads(tx);
    });
    await expect(late).rejects.toThrow('start every statement before waiting for one');
    expect(await fixture.inTenant(tenant, readThreads)).toEqual(threads);
    expect(fixture.database.poolStats).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  it('compiles no plans, which costs each connection more CPU than any statement gains', async () => {
    const [row] = await fixture.inTenant(tenant, (tx) =>
      tx.query<{ jit: string }>("SELECT current_setting('jit') AS jit"),
    );
    expect(row).toEqual({ jit: 'off' });
  });

  it('responds to a ping', async () => {
    await expect(fixture.database.ping()).resolves.toBeUndefined();
  });

  it('prepares a bounded number of statements, however many different ones there are', async () => {
    const texts = Array.from({ length: MAX_PREPARED_STATEMENTS + 50 }, (_, n) => `SELECT ${n} AS one_of_many`);
    const [answers, [row]] = await fixture.inTenant(tenant, (tx) =>
      allOf([
        allOf(texts.map((text) => tx.query<{ one_of_many: number }>(text))),
        tx.query<{ count: string }>('SELECT count(*) FROM pg_prepared_statements'),
      ]),
    );
    expect(answers.map(([answer]) => answer?.one_of_many)).toEqual(texts.map((_, n) => n));
    expect(Number(row!.count) > 0).toBe(prepared);
    expect(Number(row!.count)).toBeLessThanOrEqual(MAX_PREPARED_STATEMENTS);
  });
});

describe('Database shared by many tenants', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open({ poolSize: 2 });
  });
  afterAll(() => fixture.close());

  it('isolates 50 tenants that share two connections', async () => {
    const tenants = await Promise.all(Array.from({ length: 50 }, () => fixture.addTenant()));
    const rounds = tenants.flatMap((tenant) => [1, 2, 3].map((round) => ({ tenant, round })));
    const seen = await Promise.all(
      rounds.map(({ tenant, round }) =>
        fixture.inTenant(tenant, async (tx) => {
          await setRevision(tx, `${tenant} ${round}`, round);
          return allOf([
            tx.query<{ tenant_id: string }>('SELECT DISTINCT tenant_id FROM thread_revisions'),
            tx.query<{ setting: string }>("SELECT current_setting('annals.tenant') AS setting"),
          ]);
        }),
      ),
    );
    expect(seen).toEqual(rounds.map(({ tenant }) => [[{ tenant_id: tenant }], [{ setting: tenant }]]));
    expect(fixture.database.poolStats).toMatchObject({ waiting: 0 });
    expect(fixture.database.poolStats.total).toBeLessThanOrEqual(2);
    const [row] = await fixture.queryAsSuperuser<{ count: string }>('SELECT count(*) FROM thread_revisions');
    expect(Number(row!.count)).toBe(rounds.length);
  });

  it('does not affect other tenants when one fails', async () => {
    const [good, bad] = [await fixture.addTenant(), await fixture.addTenant()];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        fixture.inTenant(index % 2 ? bad : good, async (tx) => {
          await setRevision(tx, `thread ${index}`, 1);
          if (index % 2) await tx.query('SELECT 1 / 0');
        }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status === 'fulfilled')).toEqual(
      outcomes.map((_, index) => index % 2 === 0),
    );
    expect((await fixture.inTenant(good, readThreads)).length).toBe(10);
    expect(await fixture.inTenant(bad, readThreads)).toEqual([]);
  });
});
