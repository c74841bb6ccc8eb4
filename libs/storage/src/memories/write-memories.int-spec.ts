import { randomBytes } from 'node:crypto';
import {
  hashContent,
  ManualClock,
  SeededRng,
  UuidV7Generator,
  type MemoryChange,
  type NewMemory,
  type StoredDecision,
} from '@annals/domain';
import { createTestDatabase, newMemory, newMessage, newPost, type TestDatabase } from '@annals/testing';
import { acceptMessages } from '../conversations/accept-messages.js';
import { claimBatch } from '../batches/claim-batch.js';
import { completeExtraction } from '../batches/complete-extraction.js';
import { getBatches } from '../batches/read-batches.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { createTenant } from '../tenants/tenants.js';
import { addVectors } from './add-vectors.js';
import type { StatementComparison } from './compare-statements.js';
import { findComparedNeighbours, type NeighbourSearchResult } from './neighbours.js';
import { getMemory, getMemoryHistory, listMemories } from './read-memories.js';
import { writeMemories, type MemoryWriteCommand } from './write-memories.js';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const ids = new UuidV7Generator(clock, new SeededRng(7));
const dependencies = { clock, ids, randomBytes: (size: number) => randomBytes(size) };
const tenantId = ids.next();

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = await Database.open(test.app);
  await createTenant(database, { id: tenantId, name: 'writes', now: clock.now() });
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
});

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => database.inTenant(tenantId, work);

const memory = (content: string, fields: Partial<NewMemory> = {}) => newMemory(content, clock.now(), fields);

function command(userId: string, changes: MemoryChange[], extra: Partial<MemoryWriteCommand> = {}): MemoryWriteCommand {
  return { userId, actor: 'test', node: 'api', changes, embeddings: new Map(), ...extra };
}

const write = (userId: string, changes: MemoryChange[], extra?: Partial<MemoryWriteCommand>) =>
  inTenant((tx) => writeMemories(tx, command(userId, changes, extra), dependencies));

const observe = (content: string, fields?: Partial<NewMemory>): MemoryChange => ({
  kind: 'observe',
  memory: memory(content, fields),
});

/** A batch of one message that is extracted and that persistence has claimed. */
async function extractedBatch(userId: string, words: string, saidAt = clock.now()) {
  const accepted = await inTenant((tx) =>
    acceptMessages(tx, newPost([newMessage(words, saidAt)], clock.now(), { userId }), ids),
  );
  const batchId = accepted.batchIds[0]!;
  const claim = (kind: 'extraction' | 'persistence') =>
    inTenant((tx) => claimBatch(tx, { batchId, generation: 1, kind, now: clock.now(), leaseMs: 1_000 }));
  const extraction = await claim('extraction');
  if (extraction.outcome !== 'claimed') throw new Error('The batch could not be claimed.');
  await inTenant((tx) =>
    completeExtraction(
      tx,
      {
        batchId,
        fence: extraction.fence,
        now: clock.now(),
        provider: 'local',
        model: 'rules',
        notice: null,
        answer: '{}',
        items: [],
        settlement: null,
        promptVersion: null,
        diagnostics: null,
        prunedMessages: 0,
        trace: null,
      },
      ids,
    ),
  );
  const persistence = await claim('persistence');
  if (persistence.outcome !== 'claimed') throw new Error('The batch could not be claimed again.');
  const [message] = await inTenant((tx) =>
    tx.query<{ id: string }>('SELECT id FROM messages WHERE batch_id = $1', [batchId]),
  );
  return { batchId, fence: persistence.fence, messageId: message!.id, threadId: accepted.threadId };
}

describe('writeMemories', () => {
  it('applies a batch once, with memory, source, terms, history, change log and completion of the batch', async () => {
    const batch = await extractedBatch('u1', 'I live in Lisbon');
    const changes = [
      observe('Ana lives in Lisbon', {
        origin: 'extraction',
        sources: [{ messageId: batch.messageId, quote: 'I live in Lisbon' }],
      }),
    ];
    const applied = { batch: { id: batch.batchId, fence: batch.fence, generation: 1 } };
    const result = await write('u1', changes, applied);
    expect(result).toMatchObject({ outcome: 'applied', counts: { inserted: 1, updated: 0, skippedDuplicate: 0 } });
    expect(await write('u1', changes, applied)).toEqual({ outcome: 'already_applied' });

    await inTenant(async (tx) => {
      const [done] = await getBatches(tx, [batch.batchId]);
      expect(done).toMatchObject({ status: 'done', inserted: 1 });
      const page = await listMemories(
        tx,
        { state: 'active', include_superseded: false, limit: 10, user_id: 'u1' },
        { categories: null },
      );
      expect(page.items).toHaveLength(1);
      expect(page.items[0]!.sources).toEqual([
        expect.objectContaining({ message_id: batch.messageId, thread_id: batch.threadId, quote: 'I live in Lisbon' }),
      ]);
      const terms = await tx.query<{ term: string }>('SELECT term FROM lexical_postings WHERE user_id = $1', ['u1']);
      expect(terms.map((row) => row.term)).toContain('lisbon');
      const log = await tx.query('SELECT rev, event FROM change_log WHERE user_id = $1', ['u1']);
      expect(log).toEqual([{ rev: '1', event: 'created' }]);
      expect(await tx.query('SELECT 1 FROM work WHERE subject_id = $1', [batch.batchId])).toEqual([]);
    });
  });

  it('rejects a batch whose fence another worker has raised, and writes nothing', async () => {
    const batch = await extractedBatch('u2', 'hello');
    const result = await write('u2', [observe('Ana says hello')], {
      batch: { id: batch.batchId, fence: batch.fence - 1, generation: 1 },
    });
    expect(result).toEqual({ outcome: 'lost' });
    const page = await inTenant((tx) =>
      listMemories(tx, { state: 'active', include_superseded: false, limit: 10, user_id: 'u2' }, { categories: null }),
    );
    expect(page.items).toEqual([]);
  });

  it('fails a batch that was accepted before its user was erased', async () => {
    const batch = await extractedBatch('u3', 'hello');
    clock.advance(1_000);
    await inTenant((tx) =>
      tx.execute('UPDATE users SET erased_at = $2 WHERE user_id = $1', ['u3', new Date(clock.now())]),
    );
    const result = await write('u3', [observe('Ana says hello')], {
      batch: { id: batch.batchId, fence: batch.fence, generation: 1 },
    });
    expect(result).toEqual({ outcome: 'erased' });
    const [failed] = await inTenant((tx) => getBatches(tx, [batch.batchId]));
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'erased' } });
  });

  it('creates one row for fifty concurrent writers of the same statement', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => write('u4', [observe('Ana likes tea')])));
    const outcomes = results.map((result) =>
      result.outcome === 'applied' ? result.results[0]!.outcome : result.outcome,
    );
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(49);
    const rows = await inTenant((tx) => tx.query('SELECT 1 FROM memories WHERE user_id = $1', ['u4']));
    expect(rows).toHaveLength(1);
  });

  it('edits, supersedes, deletes and restores with a complete history', async () => {
    const [first] = appliedResults(await write('u5', [observe('Ana lives in Berlin')]));
    const id = first!.memoryId;
    clock.advance(1_000);
    await write('u5', [{ kind: 'edit', memoryId: id, patch: { pinned: true, importance: 5 } }]);
    clock.advance(1_000);
    const [second] = appliedResults(
      await write('u5', [{ kind: 'supersede', memoryId: id, memory: memory('Ana lives in Munich') }]),
    );
    expect(second!.outcome).toBe('superseded');
    await write('u5', [{ kind: 'delete', memoryId: second!.memoryId, by: 'user' }]);
    await write('u5', [{ kind: 'restore', memoryId: second!.memoryId }]);
    await inTenant(async (tx) => {
      const old = await getMemory(tx, id);
      expect(old).toMatchObject({
        superseded_by: second!.memoryId,
        pinned: true,
        importance: 5,
        content: 'Ana lives in Berlin',
      });
      const newest = await getMemoryHistory(tx, second!.memoryId, { limit: 2 });
      expect(newest!.items.map((row) => row.event)).toEqual(['RESTORE', 'DELETE']);
      const rest = await getMemoryHistory(tx, second!.memoryId, { limit: 2, cursor: newest!.next_cursor! });
      expect(rest!.items.map((row) => row.event)).toEqual(['ADD']);
      expect(rest!.next_cursor).toBeNull();
      const [user] = await tx.query<{ memory_count: number }>('SELECT memory_count FROM users WHERE user_id = $1', [
        'u5',
      ]);
      expect(user!.memory_count).toBe(1);
    });
  });

  it('finds statements with the same slot, whatever their wording, and orders them by time', async () => {
    const from = (day: number) => ({ validFrom: Date.UTC(2025, 0, day) });
    await write('slots', [observe('The user lives in Berlin.', from(1))]);
    await write('slots', [observe('The user moved to Munich.', from(20))]);
    const [late] = appliedResults(await write('slots', [observe('The user is living in Hamburg.', from(10))]));
    expect(late!.outcome).toBe('inserted_ended');
    const rows = await inTenant((tx) =>
      tx.query<{ content: string; valid_to: Date | null; former_ends: unknown }>(
        `SELECT content, valid_to, former_ends FROM memories WHERE user_id = 'slots' ORDER BY valid_from`,
      ),
    );
    expect(rows.map(({ content, valid_to }) => [content, valid_to?.getUTCDate() ?? null])).toEqual([
      ['The user lives in Berlin.', 10],
      ['The user is living in Hamburg.', 20],
      ['The user moved to Munich.', null],
    ]);
    // Until Hamburg was recorded, Berlin was believed to end on the 20th.
    expect(rows[0]!.former_ends).toEqual([{ since: clock.now(), validTo: Date.UTC(2025, 0, 20) }]);
  });

  it('splits a memory around a later one, with its vector and index terms', async () => {
    const saidOn = async (day: number): Promise<Partial<NewMemory>> => {
      const saidAt = Date.UTC(2025, 0, day);
      const { messageId } = await extractedBatch('cut', 'I live there', saidAt);
      const sources = [{ messageId, quote: 'I live there' }];
      return { origin: 'extraction', validFrom: saidAt, saidAt, sources };
    };
    const embeddings = new Map([
      [
        'The user lives in Berlin.',
        { model: 'test', contentHash: Buffer.alloc(32, 1), vector: Float32Array.from([1, 0, 0]) },
      ],
    ]);
    await write('cut', [observe('The user lives in Berlin.', await saidOn(1))], { embeddings });
    await write('cut', [observe('The user lives in Berlin.', await saidOn(9))]);
    await write('cut', [observe('The user lives in Munich.', await saidOn(5))]);
    const rows = await inTenant((tx) =>
      tx.query<{ content: string; vectors: number; terms: number }>(
        `SELECT m.content, (SELECT count(*)::int FROM memory_embeddings e WHERE e.memory_id = m.id) AS vectors,
                (SELECT count(*)::int FROM lexical_units u WHERE u.memory_id = m.id) AS terms
           FROM memories m WHERE m.user_id = 'cut' ORDER BY valid_from`,
      ),
    );
    expect(rows).toEqual([
      { content: 'The user lives in Berlin.', vectors: 1, terms: 1 },
      { content: 'The user lives in Munich.', vectors: 0, terms: 1 },
      { content: 'The user lives in Berlin.', vectors: 1, terms: 1 },
    ]);
  });

  it('undoes a change with everything written together with it, and undoes the undo', async () => {
    const state = () =>
      inTenant((tx) =>
        tx.query(`SELECT content, state, valid_to, superseded_by FROM memories WHERE user_id = 'undo' ORDER BY id`),
      );
    const [berlin] = appliedResults(await write('undo', [observe('The user lives in Berlin.')]));
    clock.advance(1_000);
    const [munich] = appliedResults(await write('undo', [observe('The user lives in Munich.')]));
    const moved = await state();
    const undo = await write('undo', [{ kind: 'undo', memoryId: munich!.memoryId }]);
    expect(undo).toMatchObject({
      results: [{ outcome: 'undone', memoryId: berlin!.memoryId }],
      written: [munich!.memoryId, berlin!.memoryId].map((id) => ({ id, category: 'profile' })),
    });
    expect(await state()).toMatchObject([
      { content: 'The user lives in Berlin.', valid_to: null, superseded_by: null },
      { content: 'The user lives in Munich.', state: 'soft_deleted' },
    ]);
    await write('undo', [{ kind: 'undo', memoryId: berlin!.memoryId }]);
    expect(await state()).toEqual(moved);
    const chain = await inTenant((tx) => tx.query(`SELECT event FROM history WHERE user_id = 'undo' ORDER BY seq`));
    expect(chain.map(({ event }) => event)).toEqual(['ADD', 'UPDATE', 'ADD', 'UNDO', 'UNDO', 'UNDO', 'UNDO']);
  });

  it('rejects an edit with an outdated revision', async () => {
    const [first] = appliedResults(await write('seen', [observe('Ana has a cat')]));
    const edit = { kind: 'edit', memoryId: first!.memoryId, patch: { pinned: true }, expectedRevision: 1 } as const;
    expect(appliedResults(await write('seen', [edit]))[0]!.outcome).toBe('updated');
    expect(appliedResults(await write('seen', [edit]))[0]!.outcome).toBe('revision_conflict');
  });

  describe('with statements that are compared with neighbours', () => {
    const BUS = 'The user takes the bus to work.';
    const TRAIN = 'The user takes the train to work.';
    const statements = {
      model: 'axes',
      bands: { auto: 0.95, check: 0.7, fallback: 0.6, link: 0.5 },
      vectors: new Map([[TRAIN, Float32Array.from([0.8, 0.6])]]),
    };
    const embeddings = new Map([
      [BUS, { model: 'axes', contentHash: Buffer.from('bus'), vector: Float32Array.from([1, 0]) }],
    ]);
    const findNeighboursNow = (userId: string) => inTenant((tx) => findComparedNeighbours(tx, userId, statements));
    /** Writes TRAIN, and returns the result and how often neighbours were searched for under the lock. */
    const writeTrain = (userId: string, comparison: Partial<StatementComparison & { kind: 'classify' }>) =>
      inTenant(async (tx) => {
        let searches = 0;
        const each: Tx['each'] = (statement, given) => {
          if (statement.sql.includes('near.cosine')) searches += 1;
          return tx.each(statement, given);
        };
        const counting: Tx = {
          tenantId: tx.tenantId,
          asksMinds: tx.asksMinds,
          chainKey: tx.chainKey,
          pseudonymOf: (id) => tx.pseudonymOf(id),
          query: (sql, parameters) => tx.query(sql, parameters),
          execute: (sql, parameters) => tx.execute(sql, parameters),
          each,
          atCommit: (...sent) => tx.atCommit(...sent),
          allowBulk: () => tx.allowBulk(),
          repository: (entity) => tx.repository(entity),
        };
        const written = await writeMemories(
          counting,
          command(userId, [observe(TRAIN)], {
            comparison: {
              kind: 'classify',
              ...statements,
              decisions: [],
              neighbourhood: null,
              openPairs: 'add',
              ...comparison,
            },
          }),
          dependencies,
        );
        return { outcome: written.outcome, searches };
      });
    const replaced = ({ neighbours }: NeighbourSearchResult): StoredDecision[] =>
      neighbours.map(({ memoryId, revision }) => ({
        hash: hashContent(TRAIN),
        memoryId,
        revision,
        verdict: 'replaces',
      }));
    const listCurrent = async (userId: string) =>
      (
        await inTenant((tx) =>
          tx.query<{ content: string }>(
            'SELECT content FROM memories WHERE user_id = $1 AND valid_to IS NULL ORDER BY content',
            [userId],
          ),
        )
      ).map(({ content }) => content);

    it('applies a decision to the neighbours that were read before, without reading them again', async () => {
      await write('near', [observe(BUS)], { embeddings });
      const neighbourhood = await findNeighboursNow('near');
      expect(neighbourhood.neighbours).toMatchObject([{ statement: TRAIN, content: BUS, revision: 1 }]);
      clock.advance(1_000);
      const decisions = replaced(neighbourhood);
      expect(await writeTrain('near', { neighbourhood, decisions, openPairs: 'refuse' })).toEqual({
        outcome: 'applied',
        searches: 0,
      });
      expect(await listCurrent('near')).toEqual([TRAIN]);
    });

    it('reads the neighbours again after another write, and ignores decisions about earlier revisions', async () => {
      const [bus] = appliedResults(await write('moved', [observe(BUS)], { embeddings }));
      const neighbourhood = await findNeighboursNow('moved');
      await write('moved', [{ kind: 'edit', memoryId: bus!.memoryId, patch: { pinned: true } }]);
      const outdated = { neighbourhood, decisions: replaced(neighbourhood) };
      expect(await writeTrain('moved', { ...outdated, openPairs: 'refuse' })).toEqual({
        outcome: 'undecided',
        searches: 1,
      });
      expect(await listCurrent('moved')).toEqual([BUS]);
      expect(await writeTrain('moved', { ...outdated, openPairs: 'add' })).toEqual({ outcome: 'applied', searches: 1 });
      expect(await listCurrent('moved')).toEqual([BUS, TRAIN]);
    });

    it('reads the neighbours again when a stored memory got its vector, of which its history says nothing', async () => {
      const [bus] = appliedResults(await write('late', [observe(BUS)]));
      const neighbourhood = await findNeighboursNow('late');
      expect(neighbourhood.neighbours).toEqual([]);
      const { model, bands } = statements;
      const stored = [{ id: bus!.memoryId, content: BUS, type: 'semantic' as const }];
      const addition = { userId: 'late', actor: 'test', model, bands, statements: stored, embeddings };
      await inTenant((tx) => addVectors(tx, addition, dependencies));
      const written = { neighbourhood, openPairs: 'refuse' } as const;
      expect(await writeTrain('late', written)).toEqual({ outcome: 'undecided', searches: 1 });
    });

    it('reads the neighbours under the lock when they were not read before', async () => {
      await write('unread', [observe(BUS)], { embeddings });
      expect(await writeTrain('unread', { openPairs: 'add' })).toEqual({ outcome: 'applied', searches: 1 });
      const relations = await inTenant((tx) => tx.query(`SELECT 1 FROM relations WHERE user_id = 'unread'`));
      expect(relations).toHaveLength(1);
    });
  });

  it('supersedes a statement by one with other letter case and punctuation, despite the same hash', async () => {
    const [first] = appliedResults(await write('u6', [observe('great day')]));
    const [second] = appliedResults(
      await write('u6', [{ kind: 'supersede', memoryId: first!.memoryId, memory: memory('Great day!') }]),
    );
    expect(second!.outcome).toBe('superseded');
    expect((await inTenant((tx) => getMemory(tx, second!.memoryId)))!.content).toBe('Great day!');
  });

  it('rolls everything back when one statement fails', async () => {
    const broken = observe('Ana has a cat', { origin: 'extraction', sources: [] });
    const tooLong = { ...memory('Ana has a dog'), importance: 9 };
    await expect(write('u7', [broken, { kind: 'observe', memory: tooLong }])).rejects.toMatchObject({ code: '23514' });
    expect(await inTenant((tx) => tx.query('SELECT 1 FROM memories WHERE user_id = $1', ['u7']))).toEqual([]);
    expect(await inTenant((tx) => tx.query('SELECT 1 FROM history WHERE user_id = $1', ['u7']))).toEqual([]);
  });
});

function appliedResults(result: Awaited<ReturnType<typeof write>>) {
  if (result.outcome !== 'applied') throw new Error(`Not applied: ${result.outcome}`);
  return result.results;
}
