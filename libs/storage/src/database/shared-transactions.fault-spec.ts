import { waitUntil } from '@annals/testing';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { DatabaseUnavailableError } from './errors.js';
import { defineSet } from './set-statement.js';
import type { Tx } from './transaction.js';

const RAISE = defineSet<{ user_id: string }>(
  'user_id text',
  `INSERT INTO thread_revisions AS t (user_id, thread_id, rev) SELECT user_id, 'main', 1 FROM given
   ON CONFLICT (tenant_id, user_id, thread_id) DO UPDATE SET rev = t.rev + 1`,
);

describe('transactions that work shares', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeEach(async () => {
    fixture = await StorageFixture.open({ limits: { lockMs: 60_000 } });
    tenant = await fixture.addTenant();
  });
  afterEach(() => fixture.close());

  const raise = (userId: string, before: () => Promise<unknown> = () => Promise.resolve()) =>
    fixture.database.inTenantTogether(tenant, userId, async (tx: Tx) => {
      await before();
      await tx.each(RAISE, { user_id: userId });
    });
  const readRevs = async () => {
    const rows = await fixture.queryAsSuperuser<{ user_id: string; rev: string }>(
      'SELECT user_id, rev FROM thread_revisions ORDER BY user_id',
    );
    return Object.fromEntries(rows.map(({ user_id, rev }) => [user_id, rev]));
  };
  const endConnections = () =>
    fixture.queryAsSuperuser(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'annals_app' AND datname = $1`,
      [fixture.testDatabase.name],
    );

  it('do not keep neighbours waiting for a lock that one piece of work waits for', async () => {
    await raise('ada');
    const release = Promise.withResolvers<undefined>();
    const holder = fixture.inTenant(tenant, async (tx) => {
      await tx.execute("UPDATE thread_revisions SET rev = rev WHERE user_id = 'ada'");
      await release.promise;
    });
    await waitUntil(
      async () =>
        (
          await fixture.queryAsSuperuser(
            `SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
              WHERE a.datname = $1 AND l.mode = 'RowExclusiveLock' AND l.relation = 'thread_revisions'::regclass`,
            [fixture.testDatabase.name],
          )
        ).length > 0,
      { describe: 'another transaction holds the row' },
    );
    const waiting = raise('ada');
    await raise('bea');
    expect(await readRevs()).toEqual({ ada: '1', bea: '1' });
    release.resolve(undefined);
    await Promise.all([holder, waiting]);
    expect(await readRevs()).toEqual({ ada: '2', bea: '1' });
  });

  it('are repeated piece by piece when their connection breaks before the commit: each takes effect once', async () => {
    let cuts = 0;
    const cut = async () => {
      cuts += 1;
      if (cuts === 1) await endConnections();
    };
    await Promise.all([raise('ada', cut), raise('bea')]);
    expect(await readRevs()).toEqual({ ada: '1', bea: '1' });
  });

  it('are not repeated when their connection breaks during the commit: it may have been carried out', async () => {
    // The commit waits in a deferred trigger, where its connection is ended.
    await fixture.queryAsSuperuser(
      `CREATE FUNCTION annals.wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$`,
    );
    await fixture.queryAsSuperuser(
      `CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON annals.thread_revisions DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION annals.wait_at_commit()`,
    );
    const outcomes = Promise.allSettled([raise('ada'), raise('bea')]);
    const sleeping = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = $1`;
    await waitUntil(async () => (await fixture.queryAsSuperuser(sleeping, [fixture.testDatabase.name])).length > 0, {
      describe: 'the commit is under way',
    });
    await endConnections();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected' });
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailableError);
    }
    expect(await readRevs()).toEqual({});
  });
});
