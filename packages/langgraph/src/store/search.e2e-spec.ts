import { type AnnalsSystem, startSystem } from '@annals/testing';
import { AnnalsStore, type AnnalsStoreOptions, type StoreSearchOptions } from '../index.js';

const BOOKS = {
  js: {
    title: 'JavaScript Guide',
    text: 'Complete guide to JavaScript programming',
    level: 'beginner',
    pages: 120,
    tags: ['web'],
  },
  ts: {
    title: 'TypeScript Handbook',
    text: 'Advanced programming with types',
    level: 'intermediate',
    pages: 300,
    tags: ['web', 'types'],
  },
  py: { title: 'Python Basics', text: 'Introduction to Python programming', level: 'beginner', pages: 80, tags: [] },
};

describe('AnnalsStore search, over HTTP', () => {
  let system: AnnalsSystem;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system?.close());

  let users = 0;
  const open = (options: AnnalsStoreOptions = {}) =>
    new AnnalsStore({ baseUrl: system.nextUrl(), apiKey: system.tenantKey, user: `user-${++users}`, ...options });

  /** A store with the books, and a recipe in another namespace. */
  async function fill(options: AnnalsStoreOptions = {}): Promise<AnnalsStore> {
    const store = open(options);
    await store.batch([
      ...Object.entries(BOOKS).map(([key, value]) => ({ namespace: ['docs'], key, value })),
      { namespace: ['recipes', 'sweet'], key: 'cake', value: { title: 'Chocolate cake', level: 'easy', pages: 2 } },
    ]);
    return store;
  }
  const keysOf = async (store: AnnalsStore, options: StoreSearchOptions = {}, namespace = ['docs']) =>
    (await store.search(namespace, options)).map(({ key }) => key);
  const sorted = async (...given: Parameters<typeof keysOf>) => (await keysOf(...given)).toSorted();

  describe('without a query', () => {
    it('returns what is below the namespace, without a score', async () => {
      const store = await fill();
      expect(await sorted(store)).toEqual(['js', 'py', 'ts']);
      expect(await sorted(store, {}, [])).toEqual(['cake', 'js', 'py', 'ts']);
      expect(await keysOf(store, {}, ['recipes'])).toEqual(['cake']);
      expect(await store.search(['doc'])).toEqual([]);
      const [book] = await store.search(['docs'], { filter: { level: 'intermediate' } });
      expect(book).toEqual({
        namespace: ['docs'],
        key: 'ts',
        value: BOOKS.ts,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
    });

    it('returns each item on one page', async () => {
      const store = await fill();
      const [first, second] = [await keysOf(store, { limit: 2 }), await keysOf(store, { limit: 2, offset: 2 })];
      expect([first.length, second.length]).toEqual([2, 1]);
      expect([...first, ...second].toSorted()).toEqual(['js', 'py', 'ts']);
    });

    it('returns ten items unless it is told how many', async () => {
      const store = open();
      await store.batch(Array.from({ length: 12 }, (_, n) => ({ namespace: ['n'], key: `k${n}`, value: { n } })));
      expect(await keysOf(store, {}, ['n'])).toHaveLength(10);
      expect(await keysOf(store, { limit: 50 }, ['n'])).toHaveLength(12);
    });
  });

  it.each<[NonNullable<StoreSearchOptions['filter']>, string[]]>([
    [{ level: 'beginner' }, ['js', 'py']],
    [{ level: { $eq: 'beginner' } }, ['js', 'py']],
    [{ level: { $ne: 'beginner' } }, ['ts']],
    [{ level: 'beginner', pages: { $ne: 80 } }, ['js']],
    [{ level: { $in: ['beginner', 'intermediate'] } }, ['js', 'py', 'ts']],
    [{ level: { $nin: ['beginner'] } }, ['ts']],
    [{ pages: { $gt: 80, $lte: 300 } }, ['js', 'ts']],
    [{ pages: { $gte: 120 }, tags: ['web'] }, ['js']],
    [{ pages: { $lt: 100 } }, ['py']],
    [{ subtitle: { $exists: false }, title: { $exists: true } }, ['js', 'py', 'ts']],
    [{ "level' OR '1'='1": 'x' }, []],
    [{}, ['js', 'py', 'ts']],
  ])('filters by %j', async (filter, expected) => {
    expect(await sorted(await fill(), { filter })).toEqual(expected);
  });

  it('filters by fields of fields', async () => {
    const store = open();
    await store.put(['n'], 'a', { by: { name: 'Ada', born: 1815 } });
    await store.put(['n'], 'b', { by: { name: 'Bob', born: 1990 } });
    expect(await keysOf(store, { filter: { by: { name: 'Ada' } } }, ['n'])).toEqual(['a']);
    expect(await keysOf(store, { filter: { by: { born: { $gt: 1900 } } } }, ['n'])).toEqual(['b']);
    expect(await keysOf(store, { filter: { 'by.born': 1815 } }, ['n'])).toEqual(['a']);
  });

  describe('by words', () => {
    it('finds any of them, best first, and is what a store without an index does', async () => {
      const store = await fill();
      const found = await store.search(['docs'], { query: 'a guide to JavaScript' });
      expect(found[0]).toMatchObject({ key: 'js', score: expect.any(Number) });
      expect(await sorted(store, { query: 'programming', mode: 'auto' })).toEqual(['js', 'py', 'ts']);
      expect(await keysOf(store, { query: 'PYTHON', mode: 'text' })).toEqual(['py']);
      expect(await keysOf(store, { query: 'gardening', mode: 'text' })).toEqual([]);
      expect(await sorted(store, { query: '' })).toEqual(['js', 'py', 'ts']);
    });

    it('is combined with filters', async () => {
      const options = { query: 'programming guide', filter: { level: 'beginner' }, mode: 'text' } as const;
      expect(await keysOf(await fill(), options)).toEqual(['js', 'py']);
    });
  });

  describe('by meaning', () => {
    it('ranks items by the nearest of their texts, and is what a store with an index does', async () => {
      const store = await fill({ index: { fields: ['title', 'text'] } });
      for (const mode of ['vector', 'auto'] as const) {
        const found = await store.search(['docs'], { query: 'TypeScript handbook', mode });
        expect(found[0]).toMatchObject({ key: 'ts', score: expect.closeTo(1, 1) });
        const scores = found.map(({ score }) => score!);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      }
    });

    it('indexes the whole value unless it is told which fields', async () => {
      const store = await fill({ index: {} });
      expect((await keysOf(store, { query: 'Python basics introduction', mode: 'vector' }))[0]).toBe('py');
    });

    it('finds nothing below the similarity that is asked for', async () => {
      const store = await fill({ index: { fields: ['title'] } });
      const search = (similarityThreshold: number) =>
        keysOf(store, { query: 'JavaScript guide', mode: 'vector', similarityThreshold });
      expect(await search(0.9)).toEqual(['js']);
      expect((await search(-1)).length).toBe(3);
    });

    it('does not find what was put without an index, which words do', async () => {
      const store = open({ index: { fields: ['title'] } });
      await store.put(['no'], 'k', { title: 'Quiet title' }, false);
      expect(await store.search(['no'], { query: 'quiet title', mode: 'vector' })).toEqual([]);
      expect(await keysOf(store, { query: 'quiet title', mode: 'text' }, ['no'])).toEqual(['k']);
    });

    it('finds the fields that a put names instead of the store’s', async () => {
      const store = open({ index: { fields: ['text'] } });
      const value = {
        title: 'Copper kettle',
        text: 'Marble stairs',
        parts: [{ name: 'Velvet rope' }, { name: 'Tin' }],
      };
      await store.put(['some'], 'k', value, ['title', 'parts[*].name']);
      const near = (query: string) => keysOf(store, { query, mode: 'vector', similarityThreshold: 0.5 }, ['some']);
      expect(await near('copper kettle')).toEqual(['k']);
      expect(await near('velvet rope')).toEqual(['k']);
      expect(await near('marble stairs')).toEqual([]);
      await store.put(['some'], 'k', value);
      expect(await near('copper kettle')).toEqual([]);
      expect(await near('marble stairs')).toEqual(['k']);
    });

    it('takes index and time to live together', async () => {
      const store = open({ index: { fields: ['text'] } });
      await store.put(['both'], 'k', { title: 'Copper kettle', text: 'Marble stairs' }, ['title'], { ttl: 10 });
      expect(await store.get(['both'], 'k')).toMatchObject({ value: { title: 'Copper kettle' } });
      const options = { query: 'copper kettle', mode: 'vector', similarityThreshold: 0.5 } as const;
      expect(await keysOf(store, options, ['both'])).toEqual(['k']);
    });

    it('is refused without an index, as is a mode that does not exist', async () => {
      const store = open();
      await expect(store.search(['docs'], { query: 'x', mode: 'vector' })).rejects.toThrow(
        /Vector search requested but not configured/,
      );
      await expect(store.search(['docs'], { query: 'x', mode: 'hybrid' })).rejects.toThrow(
        /Hybrid search requested but vector search not configured/,
      );
      await expect(store.search(['docs'], { query: 'x', mode: 'fuzzy' as 'text' })).rejects.toThrow(
        /Unknown search mode/,
      );
    });
  });

  describe('by both', () => {
    it('weighs meaning and words, and orders by the sum', async () => {
      const store = open({ index: { fields: ['title'] } });
      await store.put(['h'], 'meant', { title: 'Machine learning algorithms', note: 'nothing of it' });
      await store.put(['h'], 'said', { title: 'Garden', note: 'machine learning algorithms, machine learning' });
      await store.put(['h'], 'neither', { title: 'Cooking', note: 'soup' });
      const search = (vectorWeight: number) =>
        store.search(['h'], { query: 'machine learning algorithms', mode: 'hybrid', vectorWeight });
      for (const weight of [0.1, 0.5, 0.9]) {
        const found = await search(weight);
        const scores = found.map(({ score }) => score!);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      }
      expect((await search(0.9))[0]!.key).toBe('meant');
      expect((await search(0))[0]!.key).toBe('said');
    });

    it('takes the least similarity for meaning alone', async () => {
      const store = await fill({ index: { fields: ['title'] } });
      const options = { query: 'Python types', mode: 'hybrid', similarityThreshold: 0.99 } as const;
      expect(await sorted(store, options)).toEqual(['py', 'ts']);
      expect(await keysOf(store, { ...options, filter: { tags: { $exists: true } }, limit: 1 })).toHaveLength(1);
    });
  });
});
