import { newEvent } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import type { AuditFinding } from '../audit/audit-finding.js';
import { appendHistory } from '../audit/user-chain.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { completeExtraction } from '../batches/complete-extraction.js';
import { expireProposals } from '../context/decide-context.js';
import { claimBatch } from '../batches/claim-batch.js';
import { claimForExtraction, buildReservation, reserve, buildSettlement } from '../fixtures/model-call.fixture.js';
import { post, buildPost, buildMessage } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { acceptMessages, type AcceptMessagesResult } from '../conversations/accept-messages.js';
import { FOREIGN_KEY_VIOLATION, sqlState } from '../database/errors.js';
import type { Tx } from '../database/transaction.js';
import { recordEvents } from '../events/record-events.js';
import { openReservation } from '../ledger/open-reservation.js';
import { settleReservation } from '../ledger/settle-reservation.js';
import { indexTurns } from '../lexical/index-turns.js';
import { purgeMemories } from '../lifecycle/expire-and-purge.js';
import { recordAccess } from '../lifecycle/record-access.js';
import { writeMemories } from '../memories/write-memories.js';
import { eraseUser } from './erase-user.js';

const KEY = Buffer.alloc(32, 3);
const WORD = 'quixotrium';

// The embedded database serializes transactions, so the race cannot happen there.
describe('eraseUser with concurrent writers', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterEach(() => erase());
  afterAll(() => fixture.close());

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const erase = async () => {
    const command = { userId: 'ada', actor: 'test', key: KEY };
    return (await fixture.inTenant(tenant, (tx) => eraseUser(tx, command, dependencies())))?.receipt;
  };
  const postInput = (threadId = 'thread') => ({
    threadId,
    messages: [buildMessage(`I collect ${WORD} stones.`)],
    flush: true,
  });
  /** Does `work`, and starts the erasure before the commit. */
  const eraseDuring = async (work: (tx: Tx) => Promise<unknown>) => {
    let erased: ReturnType<typeof erase> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await work(tx);
      erased = erase();
      await fixture.waitForLockWaits(1, 'the erasure waits for the writer');
    });
    return erased;
  };
  /** Starts `work` during an erasure, and returns its result. */
  const duringErasure = async <T>(work: (tx: Tx) => Promise<T>): Promise<T | string | undefined> => {
    let working: Promise<T | string | undefined> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await eraseUser(tx, { userId: 'ada', actor: 'test', key: KEY }, dependencies());
      working = fixture.inTenant(tenant, work).catch(sqlState);
      await fixture.waitForLockWaits(1, 'the writer waits for the erasure');
    });
    return working;
  };
  const extract = async (batchId: string) => {
    const fence = await claimForExtraction(fixture, tenant, batchId);
    return { batchId, fence };
  };
  const complete = (tx: Tx, { batchId, fence }: { batchId: string; fence: number }) =>
    completeExtraction(
      tx,
      {
        batchId,
        fence,
        now: fixture.clock.now(),
        provider: 'local',
        model: 'rules',
        notice: null,
        answer: WORD,
        items: [],
        settlement: null,
        promptVersion: null,
        diagnostics: null,
        prunedMessages: 0,
        trace: null,
      },
      fixture.ids,
    );
  /** A batch whose memories are about to be written. */
  const extracted = async () => {
    const { batchIds } = await post(fixture, tenant, postInput());
    const held = await extract(batchIds[0]!);
    await fixture.inTenant(tenant, (tx) => complete(tx, held));
    const claim = { batchId: held.batchId, generation: 1, kind: 'persistence' as const, leaseMs: 60_000 };
    const claimed = await fixture.inTenant(tenant, (tx) => claimBatch(tx, { ...claim, now: fixture.clock.now() }));
    if (claimed.outcome !== 'claimed') throw new Error(`The batch is ${claimed.outcome}.`);
    return { id: held.batchId, fence: claimed.fence, generation: 1 };
  };
  const persist = (tx: Tx, batch: { id: string; fence: number; generation: number }) => {
    const recall = new RecallFixture(fixture, tenant);
    const changes = [recall.observe(`The user collects ${WORD} stones.`, { origin: 'extraction' })];
    const command = { userId: 'ada', actor: 'extraction', node: 'hotpath', changes, embeddings: new Map(), batch };
    return writeMemories(tx, command, dependencies());
  };

  it('includes what a post adds to a thread, old or new', async () => {
    await post(fixture, tenant, postInput());
    const toOld = await eraseDuring((tx) => acceptMessages(tx, buildPost(fixture, postInput()), fixture.ids));
    expect(toOld!.counts).toMatchObject({ messages: 2, batches: 2 });
    const toNew = await eraseDuring((tx) => acceptMessages(tx, buildPost(fixture, postInput('other')), fixture.ids));
    expect(toNew!.counts).toMatchObject({ messages: 1, conversations: 1 });
    expect(await fixture.findTablesContaining(WORD)).toEqual([]);
  });

  it('includes what persistence and indexing write', async () => {
    const batch = await extracted();
    const written = await eraseDuring((tx) => persist(tx, batch));
    expect(written!.counts).toMatchObject({ memories: 1, history: 1, events: 2 });
    const { batchIds } = await post(fixture, tenant, postInput());
    const indexed = await eraseDuring((tx) =>
      indexTurns(tx, { batchId: batchIds[0]!, now: fixture.clock.now(), ids: fixture.ids }),
    );
    expect(indexed!.counts).toMatchObject({ lexical_units: 1 });
    expect(await fixture.findTablesContaining(WORD)).toEqual([]);
  });

  it('erases the single user that concurrent posts create', async () => {
    let second: Promise<AcceptMessagesResult> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await acceptMessages(tx, buildPost(fixture, postInput()), fixture.ids);
      second = fixture.inTenant(tenant, (other) => acceptMessages(other, buildPost(fixture, postInput()), fixture.ids));
      await fixture.waitForLockWaits(1, 'the second waits for the first');
    });
    expect(await second).toMatchObject({ accepted: 1, duplicates: 0 });
    expect((await erase())!.counts).toMatchObject({ conversations: 1, messages: 2 });
  });

  it('waits for a running recordAccess, and does not block a later one', async () => {
    const recall = new RecallFixture(fixture, tenant);
    const remember = async () => (await recall.remember('ada', `The user collects ${WORD} stones.`))[0]!;
    const record = (tx: Tx, id: string) => recordAccess(tx, [{ memoryId: id, at: fixture.clock.now(), times: 1 }]);
    const first = await remember();
    await fixture.inTenant(tenant, (tx) => record(tx, first));
    expect((await eraseDuring((tx) => record(tx, first)))!.counts).toMatchObject({ memory_access: 1 });
    const second = await remember();
    await fixture.inTenant(tenant, (tx) => record(tx, second));
    await fixture.inTenant(tenant, async (tx) => {
      await eraseUser(tx, { userId: 'ada', actor: 'test', key: KEY }, dependencies());
      const passed = await fixture.inTenant(tenant, (other) => record(other, second));
      expect(passed).toEqual({ busy: [second], expired: [] });
    });
  });

  describe('with events that are recorded later', () => {
    const write = (tx: Tx) => recordEvents(tx, [newEvent(fixture.ids.next(), fixture.clock.now(), { threadId: WORD })]);

    it('waits for running writes of events, and prevents events from before the erasure', async () => {
      await post(fixture, tenant, postInput());
      expect((await eraseDuring(write))!.counts).toMatchObject({ events: 1 });
      await duringErasure(write);
      expect(await fixture.findTablesContaining(WORD)).toEqual([]);
    });

    it('does so too when the user has no other data', async () => {
      await fixture.inTenant(tenant, write);
      expect((await eraseDuring(write))!.counts).toMatchObject({ events: 2 });
      tenant = await fixture.addTenant();
      await fixture.inTenant(tenant, write);
      await duringErasure(write);
      expect(await fixture.findTablesContaining(WORD)).toEqual([]);
    });
  });

  it('removes the user id from the usage of a call without batch that is settled meanwhile', async () => {
    await post(fixture, tenant, postInput());
    const reservationId = await reserve(fixture, tenant, { userId: 'ada' });
    await eraseDuring((tx) => settleReservation(tx, buildSettlement(fixture, reservationId)));
    expect(await fixture.queryAsSuperuser('SELECT user_id FROM usage WHERE id = $1', [reservationId])).toEqual([
      { user_id: null },
    ]);
  });

  /** As a value of its own in a row or in JSON: three hex digits are found in every tenth hash. */
  const findTablesWithId = async () => [
    ...(await fixture.findTablesContaining(',ada,')),
    ...(await fixture.findTablesContaining('"ada"')),
  ];

  it('prevents stages that began before from writing: extraction is lost, persistence erased', async () => {
    const { batchIds } = await post(fixture, tenant, postInput());
    const held = await extract(batchIds[0]!);
    expect(await duringErasure((tx) => complete(tx, held))).toBe('lost');
    const batch = await extracted();
    expect(await findTablesWithId()).toContain('users');
    expect(await duringErasure((tx) => persist(tx, batch))).toEqual({ outcome: 'erased' });
    expect(await findTablesWithId()).toEqual([]);
    const again = await post(fixture, tenant, postInput());
    const indexing = (tx: Tx) =>
      indexTurns(tx, { batchId: again.batchIds[0]!, now: fixture.clock.now(), ids: fixture.ids });
    expect(await duringErasure(indexing)).toBe('skipped');
    expect(await fixture.findTablesContaining(WORD)).toEqual([]);
  });

  it('leaves no row with the id when memories or proposals that it erased were about to end', async () => {
    const recall = new RecallFixture(fixture, tenant);
    const [id] = await recall.remember('ada', `The user collects ${WORD} stones.`);
    const owned = { userId: 'ada', memoryIds: [id!] };
    expect(await duringErasure((tx) => purgeMemories(tx, owned, dependencies()))).toBe(0);
    expect(await findTablesWithId()).toEqual([]);
    await recall.remember('ada', `The user collects ${WORD} stones.`);
    const list = async () => [{ tenant_id: tenant, user_id: 'ada' }];
    const ended = await duringErasure(async (tx) => {
      const database = { callAcrossTenants: list, inTenant: async (_: string, work: (own: Tx) => unknown) => work(tx) };
      return expireProposals(
        database as unknown as typeof fixture.database,
        { limit: 1, shouldContinue: () => true },
        dependencies(),
      );
    });
    expect(ended).toEqual({ ended: 0, isComplete: false });
    expect(await findTablesWithId()).toEqual([]);
  });

  it('rejects reservations for erased batches', async () => {
    const { batchIds } = await post(fixture, tenant, postInput());
    const reservation = buildReservation(fixture, { batchId: batchIds[0]! });
    expect(await duringErasure((tx) => openReservation(tx, reservation))).toBe(FOREIGN_KEY_VIOLATION);
  });

  it('stores a post that waited for the erasure as data of a new user', async () => {
    await post(fixture, tenant, postInput());
    for (const threadId of ['thread', 'other']) {
      const accepted = await duringErasure((tx) =>
        acceptMessages(tx, buildPost(fixture, postInput(threadId)), fixture.ids),
      );
      expect(accepted).toMatchObject({ accepted: 1 });
      const { batchIds } = accepted as AcceptMessagesResult;
      const held = await extract(batchIds[0]!);
      expect(await fixture.inTenant(tenant, (tx) => complete(tx, held))).toBe('committed');
      expect(
        await fixture.inTenant(tenant, (tx) =>
          indexTurns(tx, { batchId: held.batchId, now: fixture.clock.now(), ids: fixture.ids }),
        ),
      ).toBe('indexed');
    }
  });

  it('erases everything or nothing, wherever the erasure is interrupted', async () => {
    await post(fixture, tenant, postInput());
    const counted = () =>
      fixture.queryAsSuperuser(
        'SELECT (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM history) AS history',
      );
    const before = await counted();
    const broken = fixture.inTenant(tenant, async (tx) => {
      await eraseUser(tx, { userId: 'ada', actor: 'test', key: KEY }, dependencies());
      // The effect of a killed process on PostgreSQL.
      await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await expect(broken).rejects.toThrow();
    expect(await counted()).toEqual(before);
    expect(await fixture.findTablesContaining(WORD)).toContain('messages');
  });

  it('is followed by writers that waited for it: their rows continue the chain under the pseudonym', async () => {
    const append = (tx: Tx) => {
      const row = { memoryId: null, event: 'CONSENT', oldRef: null, newRef: null, content: WORD, meta: {} } as const;
      return appendHistory(tx, { userId: 'ada', actor: 'test', rows: [row] }, dependencies());
    };
    const verify = async () => {
      const findings: AuditFinding[] = [];
      const report = (finding: AuditFinding) => void findings.push(finding);
      await verifyAudit(fixture.database, { tenantId: tenant, keys: [KEY], report });
      return findings;
    };
    await fixture.inTenant(tenant, append);
    expect(await duringErasure(append)).toMatchObject([{ seq: 3 }]);
    expect(await verify()).toEqual([]);
    const writers = Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 20; round += 1) await fixture.inTenant(tenant, append);
    });
    for (let round = 0; round < 10; round += 1) {
      await erase();
      expect(await verify()).toEqual([]);
    }
    await Promise.all(writers);
    await erase();
    expect(await verify()).toEqual([]);
    const [chain] = await fixture.queryAsSuperuser<{ rows: number; last: number; users: number }>(
      `SELECT count(*)::integer AS rows, max(seq)::integer AS last, count(DISTINCT user_id)::integer AS users
         FROM history WHERE tenant_id = $1`,
      [tenant],
    );
    expect(chain).toEqual({ rows: chain!.last, last: expect.any(Number), users: 1 });
    expect(chain!.last).toBeGreaterThan(6 * 20);
  });

  it('does not deadlock with many writers', async () => {
    const CALLERS = 6;
    const failures: unknown[] = [];
    const stop = new AbortController();
    const postUntilStopped = async (caller: number) => {
      while (!stop.signal.aborted) {
        const written = post(fixture, tenant, postInput(`thread ${caller % 3}`)).then(({ batchIds }) =>
          fixture.inTenant(tenant, (tx) =>
            indexTurns(tx, { batchId: batchIds[0]!, now: fixture.clock.now(), ids: fixture.ids }),
          ),
        );
        await written.catch((error: unknown) => failures.push(error));
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, caller) => postUntilStopped(caller));
    for (let round = 0; round < 15; round += 1) await erase().catch((error: unknown) => failures.push(error));
    stop.abort();
    await Promise.all(callers);
    await erase();
    expect(failures.map((error) => String((error as Error).cause ?? error))).toEqual([]);
    expect(await fixture.findTablesContaining(WORD)).toEqual([]);
  });
});
