import { RecallFixture, vectorOf } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import type { Tx } from '../database/transaction.js';
import { findCandidates } from './find-candidates.js';
import { listCategoryMemories } from './list-category-memories.js';
import type { RecallSearch } from './recall-search.js';

const DAY = 86_400_000;

describe('findCandidates', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let start: number;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
    start = fixture.clock.now();
  });
  afterAll(() => fixture.close());
  afterEach(() => fixture.clock.reset(start));

  const at = (days: number) => new Date(start + days * DAY).toISOString();
  const only = (filters: object): Partial<RecallSearch> => ({ filters: filters as RecallSearch['filters'] });

  it('merges the nearest by vector with lexical matches, and scores both ways', async () => {
    await recall.remember('v', 'Ana likes green tea', 'Ana drinks coffee', 'Ana lives in Lisbon');
    const question = { queryVector: vectorOf('tea'), limit: 1 };
    const found = await recall.candidates('v', 'tea in Lisbon', question);
    const byContent = new Map(found.map((candidate) => [candidate.content, candidate]));
    expect(byContent.get('Ana likes green tea')).toMatchObject({ kind: 'memory', cosine: expect.closeTo(1) });
    expect(byContent.get('Ana likes green tea')!.lexical).toBeGreaterThan(0);
    expect(byContent.size).toBeGreaterThan(0);
    for (const candidate of found) {
      expect(candidate.cosine).not.toBeNull();
      expect(candidate.lexical).toBeLessThanOrEqual(candidate.lexicalCeiling);
    }
  });

  it('finds the nearest current memories behind any number of expired ones', async () => {
    const expiredIds = await recall.remember(
      'ended',
      ...Array.from({ length: 8 }, (_, index) => `Ana has tea number ${index}`),
    );
    const currentIds = await recall.remember('ended', 'Ana drinks coffee', 'Ana plays chess', 'Ana swims');
    await recall.write('ended', ...expiredIds.map((memoryId) => ({ kind: 'delete', memoryId, by: 'ttl' }) as const));
    const found = await recall.find('ended', 'tea', { queryVector: vectorOf('tea'), limit: 2 });
    expect(found.candidates.map(({ id }) => id)).toContain(currentIds[0]);
    expect(found.candidates).toHaveLength(2);
    expect(found.candidates.every(({ cosine }) => cosine !== null)).toBe(true);
  });

  it('returns the sources of each candidate, oldest first', async () => {
    await recall.postAndIndexTurns('said', 't', 'I like oolong tea');
    const turn = await recall.messageId('said', 'I like oolong tea');
    const sources = [{ messageId: turn, quote: 'I like oolong tea' }];
    const [memory] = await recall.write('said', recall.observe('Ana likes oolong tea', { sources }));
    const { candidates, sources: sourcesById } = await recall.find('said', 'oolong');
    expect([...sourcesById.keys()].toSorted()).toEqual(candidates.map(({ id }) => id).toSorted());
    expect(sourcesById.get(memory!)).toEqual([{ messageId: turn, conversationId: expect.any(String) }]);
    expect(sourcesById.get(turn)).toEqual(sourcesById.get(memory!));
  });

  it('searches by words only when there is no vector', async () => {
    await recall.remember('w', 'Ana plays the cello', 'Ana likes tea');
    const found = await recall.candidates('w', 'cello');
    expect(found).toMatchObject([{ content: 'Ana plays the cello', cosine: null, superseded: 'no' }]);
  });

  it('returns what changed last for a query of stop words only', async () => {
    await recall.remember('last', 'Ana plays the cello');
    await recall.postAndIndexTurns('last', 't', 'I bought a bow');
    expect(await recall.contents('last', 'what is it')).toEqual(['Ana plays the cello', 'I bought a bow']);
  });

  it('finds a turn immediately after it was accepted, and likewise once it is indexed', async () => {
    const batchId = await recall.postTurns('soon', 't', 'The parrot is called Rico', 'Cello lessons begin in May');
    expect(await recall.contents('soon', 'parrot')).toContain('The parrot is called Rico');
    const before = await recall.candidates('soon', 'parrot');
    expect(await recall.index(batchId)).toBe('indexed');
    expect(await recall.candidates('soon', 'parrot')).toEqual(before);
    expect(before[0]).toMatchObject({ kind: 'turn', category: 'activity', type: 'turn', threadId: 't', importance: 2 });
    expect(before[0]!.messageIds).toEqual([before[0]!.id]);
  });

  it('finds turns and memories, each scored', async () => {
    await recall.postAndIndexTurns('both', 't', 'My parrot is called Rico');
    const messageId = await recall.messageId('both', 'My parrot is called Rico');
    const sources = [{ messageId, quote: 'parrot' }];
    await recall.write('both', recall.observe('Ana has a parrot called Rico', { sources }));
    const found = await recall.candidates('both', 'parrot');
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(['memory', 'turn']);
    for (const candidate of found) {
      expect(candidate).toMatchObject({ messageIds: [messageId], threadId: 't' });
      expect(candidate.lexical).toBeGreaterThan(0);
    }
  });

  it('never returns data of another user or tenant', async () => {
    const other = new RecallFixture(fixture, await fixture.addTenant());
    for (const [where, who, name] of [
      [recall, 'same', 'Ana'],
      [recall, 'else', 'Ben'],
      [other, 'same', 'Cleo'],
    ] as const) {
      await where.remember(who, `${name} likes tea`);
      await where.postAndIndexTurns(who, 't', `${name} said tea`);
      await where.postTurns(who, 't', `${name} said tea again`);
    }
    const query = { queryVector: vectorOf('tea') };
    expect(await recall.contents('same', 'tea', query)).toEqual([
      'Ana likes tea',
      'Ana said tea',
      'Ana said tea again',
    ]);
    expect(await other.contents('same', 'tea', query)).toEqual([
      'Cleo likes tea',
      'Cleo said tea',
      'Cleo said tea again',
    ]);
    expect(await other.contents('else', 'tea', query)).toEqual([]);
  });

  it('continues until the limit is reached, however much the filters leave out', async () => {
    await recall.remember('deep', ...Array.from({ length: 40 }, (_, n) => `Ana likes tea number ${n} tea`));
    await recall.write('deep', recall.observe('Ana likes tea in the list of tasks she keeps', { category: 'tasks' }));
    const few = { categories: ['tasks'], limit: 1 };
    expect(await recall.contents('deep', 'tea', few)).toEqual(['Ana likes tea in the list of tasks she keeps']);
    expect(await recall.contents('deep', '', { ...few, queryVector: vectorOf('tea') })).toEqual([
      'Ana likes tea in the list of tasks she keeps',
    ]);
  });

  it('returns the revision of the requested thread', async () => {
    await recall.postAndIndexTurns('rev', 't1', 'I like tea');
    const messageId = await recall.messageId('rev', 'I like tea');
    await recall.write('rev', recall.observe('Ana likes tea', { sources: [{ messageId, quote: 'tea' }] }));
    expect((await recall.find('rev', 'tea', only({ user_id: 'rev', thread_id: 't1' }))).revision).toBe(1);
    expect((await recall.find('rev', 'tea', { threadId: 't1' })).revision).toBe(1);
    expect((await recall.find('rev', 'tea')).revision).toBe(0);
  });

  it('returns what holds now, what held then, and what was known then', async () => {
    const [berlin] = await recall.write(
      'moved',
      recall.observe('Ana lives in Berlin', { validFrom: start - 100 * DAY }),
    );
    fixture.clock.reset(start + 10 * DAY);
    const munich = recall.memory('Ana lives in Munich', { validFrom: start - 10 * DAY });
    await recall.write('moved', { kind: 'supersede', memoryId: berlin!, memory: munich });
    const where = (extra: Partial<RecallSearch> = {}) => recall.contents('moved', 'where does Ana live', extra);
    expect(await where()).toEqual(['Ana lives in Munich']);
    expect(await where({ asOf: at(-50) })).toEqual(['Ana lives in Berlin']);
    expect(await where({ asOf: at(-5) })).toEqual(['Ana lives in Munich']);
    expect(await where({ asOf: at(-200) })).toEqual([]);
    // Five days in, the move had happened but had not been recorded.
    expect(await where({ knownAt: at(5) })).toEqual(['Ana lives in Berlin']);
    expect(await where({ asOf: at(-5), knownAt: at(5) })).toEqual(['Ana lives in Berlin']);
    expect(await where({ knownAt: at(11) })).toEqual(['Ana lives in Munich']);
    const [then] = await recall.candidates('moved', 'Berlin', { asOf: at(-50) });
    expect(then).toMatchObject({ content: 'Ana lives in Berlin', superseded: 'wholly', supersededBy: null });
    const [known] = await recall.candidates('moved', 'Berlin', { knownAt: at(5) });
    expect(known).toMatchObject({
      content: 'Ana lives in Berlin',
      superseded: 'wholly',
      supersededBy: null,
      validTo: null,
    });
    const listThen = async (knownAt: string) => {
      const limits = { limits: new Map<string, number>(), otherLimit: 5, limit: 5 };
      const search = recall.search('moved', '', { asOf: at(-50), knownAt });
      const { candidates } = await fixture.inTenant(recall.tenantId, (tx) => listCategoryMemories(tx, search, limits));
      return candidates.map(({ content, validTo }) => [content, validTo]);
    };
    expect(await listThen(at(5))).toEqual([['Ana lives in Berlin', null]]);
    expect(await listThen(at(11))).toEqual([['Ana lives in Berlin', start - 10 * DAY]]);
    // A further correction: what was known in between stays known in between.
    fixture.clock.reset(start + 20 * DAY);
    const rome = recall.memory('Ana lives in Rome', { validFrom: start - 30 * DAY, saidAt: start + 20 * DAY });
    const [munichRow] = await recall.candidates('moved', 'Munich');
    await recall.write('moved', { kind: 'undo', memoryId: munichRow!.id });
    await recall.write('moved', { kind: 'supersede', memoryId: berlin!, memory: rome });
    expect(await listThen(at(11))).toEqual([['Ana lives in Berlin', start - 10 * DAY]]);
    expect(await listThen(at(21))).toEqual([['Ana lives in Berlin', start - 30 * DAY]]);
  });

  it('returns a memory as holding until its successor does', async () => {
    const [old] = await recall.write('future', recall.observe('Ana pays by card'));
    const memory = recall.memory('Ana pays in cash', { validFrom: start + 10 * DAY });
    await recall.write('future', { kind: 'supersede', memoryId: old!, memory });
    const [found] = await recall.candidates('future', 'card');
    expect(found).toMatchObject({ id: old, superseded: 'no', supersededBy: null, validTo: start + 10 * DAY });
  });

  it('returns a memory that ends later until it has ended', async () => {
    await recall.write('ending', recall.observe('Ana has a pass for the pool', { validTo: start + 10 * DAY }));
    const find = (extra: Partial<RecallSearch> = {}) => recall.contents('ending', 'pool', extra);
    expect(await find()).toEqual(['Ana has a pass for the pool']);
    fixture.clock.reset(start + 10 * DAY);
    expect(await find()).toEqual([]);
    expect(await find({ asOf: at(9) })).toEqual(['Ana has a pass for the pool']);
    expect(await find({ knownAt: at(11) })).toEqual([]);
  });

  it('filters turns by the times at which they were said and received', async () => {
    await recall.postAndIndexTurns('times', 't', { content: 'I like tea', saidAt: start - 5 * DAY });
    const find = (extra: Partial<RecallSearch>) => recall.contents('times', 'tea', extra);
    expect(await find({ asOf: at(-4) })).toEqual(['I like tea']);
    expect(await find({ asOf: at(-6) })).toEqual([]);
    expect(await find({ knownAt: at(-1) })).toEqual([]);
    expect(await find({ knownAt: at(1) })).toEqual(['I like tea']);
  });

  it('hides the turns that a deleted memory cites, until it is restored', async () => {
    await recall.postAndIndexTurns('gone', 't', 'I like tea', 'I like coffee');
    const messageId = await recall.messageId('gone', 'I like tea');
    const [id] = await recall.write(
      'gone',
      recall.observe('Ana likes tea', { sources: [{ messageId, quote: 'tea' }] }),
    );
    await recall.write('gone', { kind: 'delete', memoryId: id!, by: 'user' });
    expect(await recall.contents('gone', 'tea')).not.toContain('I like tea');
    await recall.write('gone', { kind: 'restore', memoryId: id! });
    expect(await recall.contents('gone', 'tea')).toContain('I like tea');
    // Turns of expired memories may still be recalled.
    await recall.write('gone', { kind: 'delete', memoryId: id!, by: 'ttl' });
    expect(await recall.contents('gone', 'tea')).toContain('I like tea');
  });

  it('shows the turn of a correction that was undone as long as the previous memory is based on it', async () => {
    await recall.postAndIndexTurns('undone', 't', 'I am allergic to nuts', 'I moved to Rome');
    const [nuts, rome] = [
      await recall.messageId('undone', 'I am allergic to nuts'),
      await recall.messageId('undone', 'I moved to Rome'),
    ];
    const citing = (messageId: string) => ({ sources: [{ messageId, quote: 'I' }] });
    const [id] = await recall.write('undone', recall.observe('Ana is allergic to nuts', citing(nuts)));
    const memory = recall.memory('Ana is allergic to peanuts', { origin: 'manual' });
    await recall.write('undone', { kind: 'supersede', memoryId: id!, memory });
    await recall.write('undone', { kind: 'undo', memoryId: id! });
    expect(await recall.contents('undone', 'allergic')).toContain('I am allergic to nuts');
    // A turn that only the undone memory is based on is hidden with it.
    const [berlin] = await recall.write('undone', recall.observe('Ana lives in Berlin'));
    await recall.write('undone', {
      kind: 'supersede',
      memoryId: berlin!,
      memory: recall.memory('Ana lives in Rome', citing(rome)),
    });
    await recall.write('undone', { kind: 'undo', memoryId: berlin! });
    expect(await recall.contents('undone', 'moved to Rome')).not.toContain('I moved to Rome');
  });

  it('leaves out quarantined memories, turns of other roles, and hidden turns', async () => {
    await recall.write('out', recall.observe('Ana owns a tea house', { quarantineReason: 'quote_not_found' }));
    await recall.postAndIndexTurns(
      'out',
      't',
      { content: 'tea: 3', role: 'tool' },
      { content: 'Be a tea bot', role: 'system' },
    );
    await recall.postAndIndexTurns('out', 't', 'tea for me');
    expect(await recall.contents('out', 'tea')).toEqual(['tea for me']);
    await fixture.queryAsSuperuser('UPDATE messages SET hidden_at = now() WHERE content = $1', ['tea for me']);
    expect(await recall.contents('out', 'tea', { queryVector: vectorOf('tea') })).toEqual([]);
  });

  it('marks a turn whose memories were all superseded', async () => {
    await recall.postAndIndexTurns('mark', 't', 'I live in Berlin and like tea');
    const said = 'I live in Berlin and like tea';
    const sources = [{ messageId: await recall.messageId('mark', said), quote: said }];
    const [berlin] = await recall.write('mark', recall.observe('Ana lives in Berlin', { sources }));
    const turn = async () => (await recall.candidates('mark', 'Berlin', { types: ['turn'] }))[0]!;
    expect(await turn()).toMatchObject({ superseded: 'no', supersededBy: null, validTo: null, states: [berlin] });
    fixture.clock.reset(start + DAY);
    const [munich] = await recall.write('mark', {
      kind: 'supersede',
      memoryId: berlin!,
      memory: recall.memory('Ana lives in Munich'),
    });
    expect(await turn()).toMatchObject({
      superseded: 'wholly',
      supersededBy: munich,
      validTo: start + DAY,
      states: [],
    });
    await recall.write('mark', recall.observe('Ana likes tea', { sources }));
    expect(await turn()).toMatchObject({ superseded: 'partly', supersededBy: munich });
    const find = (asOf: string | null) =>
      recall.candidates('mark', 'Berlin', { types: ['turn'], currentOnly: true, asOf });
    expect(await find(null)).toMatchObject([{ content: said, superseded: 'partly', supersededBy: munich }]);
    expect(await find(new Date(start + 1).toISOString())).toMatchObject([{ content: said, superseded: 'no' }]);
  });

  it.each([
    ['is known by its quote', 'I am with Zeiss. I play chess.', 'I am with Zeiss.', 'I play chess.'],
    ['cannot be told', 'I am with Zeiss. I play chess.', 'I am with Zeiss. I play chess.', null],
    ['says what holds as well', 'I am with Zeiss and I play chess.', 'I am with Zeiss', null],
  ])('keeps what holds of a turn when the sentence that is over %s', async (user, said, quote, rest) => {
    await recall.postAndIndexTurns(user, 't', said);
    const messageId = await recall.messageId(user, said);
    const [job] = await recall.write(
      user,
      recall.observe("The user's employer is Carl Zeiss AG.", { sources: [{ messageId, quote }] }),
      recall.observe('The user plays chess.', { sources: [{ messageId, quote: 'I play chess' }] }),
    );
    fixture.clock.reset(start + DAY);
    const memory = recall.memory("The user's employer is Bosch.");
    const [bosch] = await recall.write(user, { kind: 'supersede', memoryId: job!, memory });
    expect(await recall.candidates(user, 'chess', { types: ['turn'], currentOnly: true })).toMatchObject([
      rest === null
        ? { content: said, superseded: 'partly', supersededBy: bosch, validTo: start + DAY }
        : { content: rest, superseded: 'no', supersededBy: null, validTo: null },
    ]);
  });

  it('returns the strongest edge to another candidate, and none to a filtered one', async () => {
    const [tea, cup, shop] = await recall.remember(
      'edges',
      'Ana likes tea',
      'Ana has a tea cup',
      'Ana runs a tea shop',
    );
    for (const [from, to, strength] of [
      [tea, cup, 0.5],
      [shop, tea, 0.8],
    ]) {
      await fixture.queryAsSuperuser(
        `INSERT INTO relations (tenant_id, id, user_id, from_id, to_id, strength, created_at)
         VALUES ($1, $2, 'edges', $3, $4, $5, now())`,
        [recall.tenantId, fixture.ids.next(), from, to, strength],
      );
    }
    const strengths = async (extra: Partial<RecallSearch> = {}) =>
      Object.fromEntries(
        (await recall.candidates('edges', 'tea', extra)).map(({ id, relatedStrength }) => [id, relatedStrength]),
      );
    expect(await strengths()).toEqual({
      [tea!]: expect.closeTo(0.8),
      [cup!]: expect.closeTo(0.5),
      [shop!]: expect.closeTo(0.8),
    });
    await recall.write('edges', { kind: 'delete', memoryId: shop!, by: 'ttl' });
    expect(await strengths()).toEqual({ [tea!]: expect.closeTo(0.5), [cup!]: expect.closeTo(0.5) });
  });

  it('returns the vectors of memories if they are asked for, also of those found by words', async () => {
    await recall.remember('vectors', 'Ana likes tea', 'Ana drinks coffee at noon');
    await recall.postAndIndexTurns('vectors', 't', 'tea at noon');
    const found = await recall.candidates('vectors', 'noon', { withVectors: true });
    const vectors = Object.fromEntries(found.map(({ content, vector }) => [content, vector && [...vector]]));
    expect(vectors).toEqual({
      'Ana drinks coffee at noon': [expect.closeTo(0.8, 3), expect.closeTo(0.6, 3)],
      'tea at noon': undefined,
    });
    const [nearest] = await recall.candidates('vectors', 'likes', { queryVector: vectorOf('tea'), withVectors: true });
    expect([...nearest!.vector!]).toEqual([1, 0]);
    for (const { vector } of await recall.candidates('vectors', 'noon')) expect(vector).toBeUndefined();
  });

  it('lists the memories of a category by an index', async () => {
    await recall.remember('listed', 'Ana likes tea', 'Ana has a tea cup');
    await recall.write('listed', recall.observe('She is called Ana', { category: 'profile' }));
    const statements: { sql: string; parameters: readonly unknown[] }[] = [];
    const [listed, plan] = await fixture.inTenant(recall.tenantId, async (tx) => {
      const query = <R extends object>(sql: string, parameters: readonly unknown[] = []) => {
        statements.push({ sql, parameters });
        return tx.query<R>(sql, parameters);
      };
      const search = recall.search('listed', '', { categories: ['profile'] });
      const limits = { limits: new Map([['profile', 5]]), otherLimit: 0, limit: 5 };
      const found = await listCategoryMemories({ ...tx, query }, search, limits);
      await tx.query('SET LOCAL enable_seqscan = off');
      return [found, await tx.query(`EXPLAIN ${statements[0]!.sql}`, statements[0]!.parameters)];
    });
    expect(listed.candidates).toMatchObject([{ content: 'She is called Ana' }]);
    expect(JSON.stringify(plan)).toContain('memories_by_category');
  });

  it('takes two round trips, and reads the lexical index with an index-only scan', async () => {
    await recall.remember('trips', 'Ana likes tea', 'Ana has a tea cup');
    await recall.postAndIndexTurns('trips', 't', 'tea is what I like');
    await fixture.queryAsSuperuser('VACUUM ANALYZE lexical_postings');
    const statements: { sql: string; parameters: readonly unknown[]; trip: number }[] = [];
    const plans = await fixture.inTenant(recall.tenantId, async (tx) => {
      let trip = 1;
      let isAnswered = false;
      const watched: Tx = {
        ...tx,
        query: async <R extends object>(sql: string, parameters: readonly unknown[] = []) => {
          if (isAnswered) trip += 1;
          isAnswered = false;
          statements.push({ sql, parameters, trip });
          const rows = await tx.query<R>(sql, parameters);
          isAnswered = true;
          return rows;
        },
      };
      await findCandidates(watched, recall.search('trips', 'tea', { queryVector: vectorOf('tea'), withVectors: true }));
      const postings = statements.find(({ sql }) => sql.includes('lexical_postings'))!;
      await tx.query('SET LOCAL enable_seqscan = off');
      return tx.query(`EXPLAIN ${postings.sql}`, postings.parameters);
    });
    expect(Math.max(...statements.map(({ trip }) => trip))).toBe(2);
    expect(JSON.stringify(plans)).toContain('Index Only Scan using lexical_postings_pkey');
  });
});
