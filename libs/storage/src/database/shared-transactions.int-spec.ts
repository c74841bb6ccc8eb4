import { StorageFixture } from '../fixtures/storage.fixture.js';
import { sqlState, UNIQUE_VIOLATION } from './errors.js';
import { defineRead, defineSet } from './set-statement.js';
import type { Tx } from './transaction.js';

const INSERT = defineSet<{ user_id: string; rev: number }>(
  'user_id text, rev bigint',
  `INSERT INTO thread_revisions (user_id, thread_id, rev) SELECT user_id, 'main', rev FROM given`,
);
const READ = defineRead<{ user_id: string }, { thread_id: string; rev: string }>(
  'user_id text',
  'SELECT t.thread_id, t.rev FROM thread_revisions t WHERE t.user_id = given.user_id ORDER BY t.thread_id',
);
const TRANSACTION = defineSet<object, { id: string }>(
  '',
  'SELECT w, pg_current_xact_id()::text AS id FROM given WHERE pg_current_xact_id() IS NOT NULL',
);

describe('Database.inTenantTogether', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const together = <T>(key: string, work: (tx: Tx) => Promise<T>, tenantId = tenant) =>
    fixture.database.inTenantTogether(tenantId, key, work);
  const add = (userId: string) => async (tx: Tx) => {
    await tx.each(INSERT, { user_id: userId, rev: 1 });
    return (await tx.each(TRANSACTION, {}))[0]!.id;
  };
  const read = (userId: string, tenantId = tenant) =>
    fixture.inTenant(tenantId, async (tx) =>
      (await tx.each(READ, { user_id: userId })).map(({ thread_id, rev }) => [thread_id, rev]),
    );

  it('commits the work of several callers of one tenant in one transaction', async () => {
    const ids = await Promise.all(['ada', 'bea', 'cleo'].map((userId) => together(userId, add(userId))));
    expect(new Set(ids).size).toBe(1);
    for (const userId of ['ada', 'bea', 'cleo']) expect(await read(userId)).toEqual([['main', '1']]);
  });

  it('never shares a transaction between tenants, and shows work only its own', async () => {
    const other = await fixture.addTenant();
    const [ours, theirs] = await Promise.all([together('ada', add('ada')), together('ada', add('ada'), other)]);
    expect(ours).not.toBe(theirs);
    const readTogether = (tenantId: string) =>
      Promise.all(
        ['ada', 'bea'].map((userId) => together(userId, (tx) => tx.each(READ, { user_id: userId }), tenantId)),
      );
    await together('bea', add('bea'), other);
    expect((await readTogether(tenant)).map((rows) => rows.length)).toEqual([1, 0]);
    expect((await readTogether(other)).map((rows) => rows.length)).toEqual([1, 1]);
  });

  it('gives each piece of work the rows that it asked for', async () => {
    await Promise.all(['ada', 'bea'].map((userId) => together(userId, add(userId))));
    const rows = await Promise.all(
      ['bea', 'nobody', 'ada'].map((userId) => together(userId, (tx) => tx.each(READ, { user_id: userId }))),
    );
    expect(rows.map((own) => own.map(({ thread_id }) => thread_id))).toEqual([['main'], [], ['main']]);
  });

  it('fails only the piece of work whose statement failed, and commits its neighbours', async () => {
    await together('bea', add('bea'));
    const outcomes = await Promise.allSettled(['ada', 'bea', 'cleo'].map((userId) => together(userId, add(userId))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(sqlState((outcomes[1] as PromiseRejectedResult).reason)).toBe(UNIQUE_VIOLATION);
    expect(await Promise.all(['ada', 'bea', 'cleo'].map((userId) => read(userId)))).toEqual(
      Array.from({ length: 3 }, () => [['main', '1']]),
    );
  });

  it('fails only the piece of work that throws, also behind statements for the commit, and undoes what it wrote', async () => {
    const fail = async (tx: Tx) => {
      tx.atCommit(tx.each(INSERT, { user_id: 'bea', rev: 1 }));
      await tx.each(READ, { user_id: 'bea' });
      throw new Error('changed my mind');
    };
    const outcomes = await Promise.allSettled([together('ada', add('ada')), together('bea', fail)]);
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { message: 'changed my mind' } }]);
    expect([await read('ada'), await read('bea')]).toEqual([[['main', '1']], []]);
  });

  it('keeps plain statements, repositories and set statements of a piece of work in their order', async () => {
    const work = (userId: string) => async (tx: Tx) => {
      tx.atCommit(
        tx.each(INSERT, { user_id: userId, rev: 1 }),
        tx.execute('UPDATE thread_revisions SET rev = rev + 1 WHERE user_id = $1', [userId]),
      );
      return (await tx.each(READ, { user_id: userId })).map(({ rev }) => rev);
    };
    expect(await Promise.all(['ada', 'bea'].map((userId) => together(userId, work(userId))))).toEqual([['2'], ['2']]);
    expect(await read('bea')).toEqual([['main', '2']]);
  });

  it('does what was asked for before it closes', async () => {
    const database = await fixture.openAnother();
    const asked = Promise.all(['ada', 'bea'].map((userId) => database.inTenantTogether(tenant, userId, add(userId))));
    await database.close();
    expect(await asked).toHaveLength(2);
    expect(await read('bea')).toEqual([['main', '1']]);
  });

  it('refuses a statement behind the end of its piece of work', async () => {
    let kept: Tx | undefined;
    await Promise.all([
      together('ada', async (tx) => {
        kept = tx;
      }),
      together('bea', add('bea')),
    ]);
    await expect(kept!.each(READ, { user_id: 'ada' })).rejects.toThrow('The transaction has ended');
  });
});
