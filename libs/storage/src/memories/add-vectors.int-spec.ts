import { randomBytes } from 'node:crypto';
import { GLOBAL_OWNER } from '@annals/contracts';
import type { MemoryChange } from '@annals/domain';
import { newMemory } from '@annals/testing';
import type { AuditFinding } from '../audit/audit-finding.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Tx } from '../database/transaction.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { addVectors as addVectorsOf } from './add-vectors.js';
import type { StatementComparison } from './compare-statements.js';
import { type ContentEmbedding, insertEmbeddings, type MemoriesWithoutVector } from './embeddings.js';
import { addLateVectors } from './late-vectors.js';
import { listMemories } from './read-memories.js';
import { writeMemories } from './write-memories.js';

const MODEL = 'degrees';
const BANDS = { auto: 0.95, check: 0.9, fallback: 0.8, link: 0.5 };

/** Statements by the direction of their vector, in degrees: their cosine is that of the angle between them. */
const DEGREES = {
  'The user likes green tea.': 0,
  'The user really likes green tea.': 5,
  'The user drinks tea at work.': 40,
  'The user drinks coffee at home.': 59,
  'The user keeps bees.': 170,
  'The user has a garden.': 130,
} as const;
const [TEA, REALLY_TEA, WORK, COFFEE, BEES, GARDEN] = Object.keys(DEGREES) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

function embeddingOf(content: string): ContentEmbedding {
  const angle = (DEGREES[content as keyof typeof DEGREES] * Math.PI) / 180;
  const vector = Float32Array.from([Math.cos(angle), Math.sin(angle)]);
  return { model: MODEL, contentHash: Buffer.from(content), vector };
}
const embeddings = new Map(Object.keys(DEGREES).map((content) => [content, embeddingOf(content)]));

describe('vectors that come after their memories', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => fixture.inTenant(tenantId, work);

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture?.close());

  async function write(
    userId: string,
    changes: readonly MemoryChange[],
    more: { readonly hasVectors?: boolean; readonly comparison?: StatementComparison } = {},
  ): Promise<string[]> {
    fixture.clock.advance(1_000);
    const { hasVectors = false, comparison } = more;
    const command = {
      userId,
      actor: 'test',
      node: 'api',
      changes,
      ...(hasVectors ? { embeddings } : {}),
      ...(comparison ? { comparison } : {}),
    };
    const written = await inTenant((tx) => writeMemories(tx, command, dependencies()));
    if (written.outcome !== 'applied') throw new Error(`Not applied: ${written.outcome}`);
    return written.results.map(({ memoryId }) => memoryId);
  }
  const observe = (content: string): MemoryChange => ({
    kind: 'observe',
    memory: newMemory(content, fixture.clock.now()),
  });
  const remember = (userId: string, contents: readonly string[], hasVectors: boolean) =>
    write(userId, contents.map(observe), { hasVectors });

  /** What a worker does in one step. */
  const addVectors = (userId: string, memoryIds: readonly string[]) =>
    inTenant(async (tx) => {
      const statements = await tx.query<MemoriesWithoutVector['statements'][number]>(
        `SELECT id, content, type FROM memories WHERE id = ANY ($1) AND state = 'active' ORDER BY recorded_at, id`,
        [memoryIds],
      );
      const addition = { userId, actor: 'memory_vectors', model: MODEL, bands: BANDS, statements, embeddings };
      return (await addVectorsOf(tx, addition, dependencies())).added;
    });

  /** As if the memories had been embedded before the embedding model was changed. */
  const embedUnderEarlierModel = (userId: string, contents: ReadonlyMap<string, string>) =>
    inTenant((tx) =>
      insertEmbeddings(
        tx,
        userId,
        [...contents].map(([memoryId, content]) => ({ ...embeddingOf(content), memoryId, model: 'earlier' })),
      ),
    );

  /** Pairs of contents with the strength of their relation, the one that it begins at first. */
  const readEdges = (userId: string) =>
    inTenant(async (tx) => {
      const rows = await tx.query<{ of: string; to: string; strength: number }>(
        `SELECT f.content AS of, t.content AS to, r.strength FROM relations r
           JOIN memories f ON f.id = r.from_id JOIN memories t ON t.id = r.to_id
          WHERE r.user_id = $1 ORDER BY r.strength DESC, f.content`,
        [userId],
      );
      return rows.map(({ of, to, strength }) => [of, to, Math.round(strength * 100) / 100]);
    });
  const readCurrent = (userId: string) =>
    inTenant(async (tx) => {
      const rows = await tx.query<{ content: string }>(
        `SELECT content FROM memories
          WHERE user_id = $1 AND state = 'active' AND superseded_by IS NULL AND valid_to IS NULL ORDER BY content`,
        [userId],
      );
      return rows.map(({ content }) => content);
    });
  const readEvents = (userId: string) =>
    inTenant(async (tx) => {
      const rows = await tx.query<{ event: string }>('SELECT event FROM history WHERE user_id = $1 ORDER BY seq', [
        userId,
      ]);
      return rows.map(({ event }) => event);
    });
  /** Of what holds now: the ends of each, in alphabetical order, the strongest first. */
  const readServedEdges = async (userId: string) => {
    const current = await readCurrent(userId);
    const edges = (await readEdges(userId)) as [string, string, number][];
    return edges
      .filter(([from, to]) => current.includes(from) && current.includes(to))
      .map(([from, to]) => [from, to].toSorted());
  };
  const countVectors = (userId: string) =>
    inTenant(async (tx) => (await tx.query('SELECT FROM memory_embeddings WHERE user_id = $1', [userId])).length);

  it('relate them to the memories near them from the band `link` on, once', async () => {
    await remember('ada', [TEA, BEES], true);
    const late = await remember('ada', [WORK, COFFEE], false);
    expect(await readEdges('ada')).toEqual([]);
    expect(await addVectors('ada', late)).toBe(2);
    const edges = [
      [WORK, COFFEE, 0.95],
      [WORK, TEA, 0.77],
      [COFFEE, TEA, 0.52],
    ];
    expect(await readEdges('ada')).toEqual(edges);
    expect((await readEvents('ada')).slice(4)).toEqual(['LINK', 'LINK', 'LINK']);
    // Again, as after a change of the model, or by a process that had read them before.
    expect(await addVectors('ada', late)).toBe(2);
    expect(await readEdges('ada')).toEqual(edges);
    expect(await readEvents('ada')).toHaveLength(7);
    expect(await countVectors('ada')).toBe(4);
  });

  it.each([
    ['a memory that had one', [TEA], [REALLY_TEA]],
    ['each other', [], [TEA, REALLY_TEA]],
    ['a memory that was written after it', [REALLY_TEA], [TEA]],
  ])('merge what means the same as %s, as if both had been compared when written', async (what, first, then) => {
    const userId = `same as ${what}`;
    await remember(userId, first, true);
    const late = await remember(userId, then, false);
    await addVectors(userId, late);
    const kept = first[0] ?? TEA;
    expect(await readCurrent(userId)).toEqual([kept]);
    const merged = [TEA, REALLY_TEA].find((content) => content !== kept)!;
    const rows = await inTenant((tx) =>
      tx.query(
        `SELECT m.content, s.content AS successor FROM memories m JOIN memories s ON s.id = m.superseded_by
                 WHERE m.user_id = $1 AND m.state = 'active'`,
        [userId],
      ),
    );
    expect(rows).toEqual([{ content: merged, successor: kept }]);
    const [gone] = await inTenant((tx) =>
      tx.query<{ id: string }>('SELECT id FROM memories WHERE user_id = $1 AND superseded_by IS NOT NULL', [userId]),
    );
    expect(await readEvents(userId)).toEqual(['ADD', 'ADD', 'MERGE']);
    await addVectors(userId, late);
    expect(await readEvents(userId)).toEqual(['ADD', 'ADD', 'MERGE']);
    await write(userId, [{ kind: 'undo', memoryId: gone!.id }]);
    expect(await readCurrent(userId)).toEqual([TEA, REALLY_TEA].toSorted());
  });

  it('merge no global memories, which only an admin changes, and relate them', async () => {
    const ids = await remember(GLOBAL_OWNER, [TEA, REALLY_TEA], false);
    expect(await addVectors(GLOBAL_OWNER, ids)).toBe(2);
    expect(await readCurrent(GLOBAL_OWNER)).toEqual([TEA, REALLY_TEA].toSorted());
    expect(await readEdges(GLOBAL_OWNER)).toEqual([[expect.any(String), expect.any(String), 1]]);
    expect(await readEvents(GLOBAL_OWNER)).toEqual(['ADD', 'ADD', 'LINK']);
  });

  describe.each([
    ['together', [[0, 1]]],
    ['in the order of the memories', [[0], [1]]],
    ['in the other order', [[1], [0]]],
  ])('of a new model, when they come %s', (order, steps) => {
    async function embedAnew(userId: string, embeddedBefore: readonly string[]): Promise<void> {
      const contents = [TEA, REALLY_TEA];
      const ids = await remember(userId, contents, false);
      const all = new Map(ids.map((id, index) => [id, contents[index]!]));
      await embedUnderEarlierModel(userId, new Map([...all].filter(([, content]) => embeddedBefore.includes(content))));
      for (const step of steps) {
        await addVectors(
          userId,
          step.map((index) => ids[index]!),
        );
      }
    }

    it('relate two memories that had vectors of another model, and merge neither', async () => {
      const userId = `both embedded anew ${order}`;
      await embedAnew(userId, [TEA, REALLY_TEA]);
      expect(await readCurrent(userId)).toEqual([TEA, REALLY_TEA].toSorted());
      expect(await readServedEdges(userId)).toEqual([[TEA, REALLY_TEA].toSorted()]);
      expect(await readEvents(userId)).not.toContain('MERGE');
    });

    it.each([[TEA], [REALLY_TEA]])('merge two memories of which only one had, such as %s', async (embeddedBefore) => {
      const userId = `one embedded anew ${order} ${embeddedBefore}`;
      await embedAnew(userId, [embeddedBefore]);
      expect(await readCurrent(userId)).toEqual([TEA]);
    });
  });

  it('leave a turn valid whose memory is merged', async () => {
    const recall = new RecallFixture(fixture, tenantId);
    const turns = ['I like green tea.', 'I really like green tea.'];
    await recall.postAndIndexTurns('ivy', 'talk', ...turns);
    const late: string[] = [];
    for (const [index, content] of [TEA, REALLY_TEA].entries()) {
      const source = { messageId: await recall.messageId('ivy', turns[index]!), quote: turns[index]! };
      const memory = newMemory(content, fixture.clock.now(), { origin: 'extraction', sources: [source] });
      late.push(...(await write('ivy', [{ kind: 'observe', memory }])));
    }
    await addVectors('ivy', late);
    expect(await readCurrent('ivy')).toEqual([TEA]);
    const found = (await recall.candidates('ivy', 'green tea')).filter(({ kind }) => kind === 'turn');
    expect(found.map(({ superseded }) => superseded)).toEqual(['no', 'no']);
  });

  it('merge a memory that is deleted and restored with the one that it was merged into', async () => {
    const [tea] = await remember('zoe', [TEA], true);
    const [twin] = await remember('zoe', [REALLY_TEA], false);
    await addVectors('zoe', [twin!]);
    const listed = async () => {
      const query = { user_id: 'zoe', state: 'active', include_superseded: true, limit: 10 } as const;
      const { items } = await inTenant((tx) => listMemories(tx, query, { categories: null }));
      return Object.fromEntries(items.map(({ content, superseded_by }) => [content, superseded_by]));
    };
    const both = await listed();
    expect(both).toEqual({ [TEA]: null, [REALLY_TEA]: tea });
    await write('zoe', [{ kind: 'delete', memoryId: tea!, by: 'user' }]);
    expect(await listed()).toEqual({});
    await write('zoe', [{ kind: 'restore', memoryId: tea! }]);
    expect(await listed()).toEqual(both);
    await write('zoe', [{ kind: 'delete', memoryId: tea!, by: 'user' }]);
    await write('zoe', [{ kind: 'undo', memoryId: tea! }]);
    expect(await listed()).toEqual(both);
    expect((await readEvents('zoe')).slice(3)).toEqual(['DELETE', 'RESTORE', 'DELETE', 'UNDO'].flatMap((e) => [e, e]));
  });

  it('take as many statements when neighbours had vectors of another model', async () => {
    const count = async (userId: string, isEmbedded: boolean) => {
      const ids = await remember(userId, [TEA, REALLY_TEA], false);
      if (isEmbedded) await embedUnderEarlierModel(userId, new Map([[ids[0]!, TEA]]));
      const addition = { model: MODEL, bands: BANDS };
      const late = [TEA, REALLY_TEA].map((content, n) => ({ ...embeddingOf(content), content, memoryId: ids[n]! }));
      let statements = 0;
      const found = await inTenant((tx) => {
        const counting = new Proxy(tx, {
          get: (target, name: keyof Tx) => {
            if (name === 'query' || name === 'execute' || name === 'each') statements += 1;
            const member = target[name];
            return typeof member === 'function' ? member.bind(target) : member;
          },
        });
        return addLateVectors(counting, userId, { ...addition, embeddings: late });
      });
      expect(found.neighbours).toHaveLength(2);
      return statements;
    };
    // Which are current; vectors, their count, and neighbours with the count as of then.
    expect([await count('uma', false), await count('una', true)]).toEqual([5, 5]);
  });

  it('leave two memories when only a model could decide, and relate them', async () => {
    await remember('bob', [WORK], true);
    await addVectors('bob', await remember('bob', [COFFEE], false));
    expect(await readCurrent('bob')).toEqual([COFFEE, WORK].toSorted());
    expect(await readEdges('bob')).toEqual([[COFFEE, WORK, 0.95]]);
  });

  it('write nothing but the vector for a memory that is like no other, has ended, or is gone', async () => {
    const [bees, tea] = await remember('cyd', [BEES, TEA], false);
    await write('cyd', [{ kind: 'supersede', memoryId: tea!, memory: newMemory(WORK, fixture.clock.now()) }]);
    const before = await readEvents('cyd');
    expect(await addVectors('cyd', [bees!, tea!])).toBe(2);
    expect(await readEvents('cyd')).toEqual(before);
    expect(await countVectors('cyd')).toBe(2);
    const events = await inTenant((tx) => tx.query(`SELECT FROM events WHERE user_id = 'cyd' AND node = 'worker'`));
    expect(events).toEqual([]);
    const purged = { id: fixture.ids.next(), content: TEA, type: 'semantic' as const };
    const addition = { actor: 'memory_vectors', model: MODEL, bands: BANDS, statements: [purged], embeddings };
    const add = (userId: string) => inTenant((tx) => addVectorsOf(tx, { ...addition, userId }, dependencies()));
    for (const userId of ['cyd', 'nobody']) expect(await add(userId)).toEqual({ added: 0, merged: 0 });
    expect(await countVectors('nobody')).toBe(0);
  });

  const link: StatementComparison = { kind: 'link', model: MODEL, vectors: new Map(), minCosine: BANDS.link };
  const linkOf = (content: string): StatementComparison => {
    return { ...link, vectors: new Map([[content, embeddings.get(content)!.vector]]) };
  };

  it('are not needed for an update: its relations are those of the new content, and the old ones come back', async () => {
    const [tea] = await remember('dan', [TEA], true);
    await remember('dan', [COFFEE, BEES], true);
    await write('dan', [observe(WORK)], { hasVectors: true, comparison: linkOf(WORK) });
    expect(await readServedEdges('dan')).toEqual([
      [COFFEE, WORK],
      [WORK, TEA],
    ]);
    const memory = newMemory(GARDEN, fixture.clock.now());
    await write('dan', [{ kind: 'supersede', memoryId: tea!, memory }], {
      hasVectors: true,
      comparison: linkOf(GARDEN),
    });
    expect(await readServedEdges('dan')).toEqual([
      [COFFEE, WORK],
      [GARDEN, BEES],
    ]);
    await write('dan', [{ kind: 'undo', memoryId: tea! }], { comparison: link });
    expect(await readServedEdges('dan')).toEqual([
      [COFFEE, WORK],
      [WORK, TEA],
      // Both were written without being compared.
      [COFFEE, TEA],
    ]);
  });

  it.each(['restored', 'undone'])('of a %s memory relate it to what was written in the meantime', async (how) => {
    const userId = `once ${how}`;
    const [tea] = await remember(userId, [TEA], true);
    await write(userId, [{ kind: 'delete', memoryId: tea!, by: 'user' }]);
    await write(userId, [observe(WORK)], { hasVectors: true, comparison: linkOf(WORK) });
    expect(await readEdges(userId)).toEqual([]);
    await write(userId, [{ kind: how === 'undone' ? 'undo' : 'restore', memoryId: tea! }], { comparison: link });
    expect(await readEdges(userId)).toEqual([[TEA, WORK, 0.77]]);
  });

  it('of a released memory relate it to the memories near it', async () => {
    await remember('eve', [TEA], true);
    const memory = newMemory(WORK, fixture.clock.now(), { origin: 'extraction', quarantineReason: 'quote_not_found' });
    const [held] = await write('eve', [{ kind: 'observe', memory }]);
    await write('eve', [{ kind: 'release', memoryId: held! }], { hasVectors: true, comparison: linkOf(WORK) });
    expect(await readEdges('eve')).toEqual([[WORK, TEA, 0.77]]);
  });

  it('keep an audit history that verifies, with a row for each relation', async () => {
    const findings: AuditFinding[] = [];
    const key = Buffer.alloc(32, 3);
    await verifyAudit(fixture.database, { tenantId, keys: [key], report: (finding) => findings.push(finding) });
    expect(findings).toEqual([]);
    const differing = await inTenant((tx) =>
      tx.query(
        `SELECT FROM (SELECT from_id, to_id FROM relations) r
           FULL JOIN (SELECT memory_id, new_ref FROM history WHERE event = 'LINK') h
             ON h.memory_id = r.from_id AND h.new_ref = r.to_id
          WHERE h.memory_id IS NULL OR r.from_id IS NULL`,
      ),
    );
    expect(differing).toEqual([]);
  });
});
