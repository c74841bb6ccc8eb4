import { hashContent } from '../hash/content-hash.js';
import { classifyStatements, MAX_EDGES, type Neighbour, type StoredDecision } from './classify-statements.js';
import { observe } from './lifecycle.fixture.js';
import type { MemoryChange } from './types.js';

const BUS = 'The user takes the bus to work.';
const TRAIN = 'The user takes the train to work.';
const BANDS = { auto: 0.95, check: 0.7, fallback: 0.6, link: 0.5 };

const neighbour = (memoryId: string, content: string, fields: Partial<Neighbour> = {}): Neighbour => ({
  statement: TRAIN,
  memoryId,
  content,
  cosine: 0.8,
  revision: 1,
  category: 'profile',
  type: 'semantic',
  validFrom: 0,
  ...fields,
});
const bus = neighbour('bus', BUS);
const decide = (verdict: StoredDecision['verdict'], revision = 1): StoredDecision => ({
  hash: hashContent(TRAIN),
  memoryId: 'bus',
  revision,
  verdict,
});
const classify = (neighbours: readonly Neighbour[], decisions: readonly StoredDecision[] = []) =>
  classifyStatements(
    { changes: [observe(TRAIN)], links: [] },
    { neighbours, decisions, bands: BANDS, vectors: new Map([[TRAIN, Float32Array.from([1, 0])]]) },
  );
const edge = { from: 0, toMemoryId: 'bus', relationType: 'related_to', strength: 0.8 };

describe('classifyStatements', () => {
  it('leaves a pair open that only a model can decide about, and links it', () => {
    expect(classify([bus])).toEqual({
      changes: [observe(TRAIN)],
      links: [edge],
      open: [{ hash: hashContent(TRAIN), neighbour: bus }],
    });
  });

  it.each<[StoredDecision['verdict'], object, object[]]>([
    ['same', { sameAs: bus }, []],
    ['replaces', { replaces: [bus] }, []],
    ['apart', {}, [edge]],
  ])('applies the decision %j', (verdict, matches, links) => {
    const classified = classify([bus], [decide(verdict)]);
    expect(classified).toMatchObject({ links, open: [] });
    expect(classified.changes).toEqual([
      { ...observe(TRAIN), ...(Object.keys(matches).length > 0 ? { matches } : {}) },
    ]);
  });

  it.each([
    ['a number', 'The user paid 40 euros.', 'The user paid 45 euros.'],
    ['a name', 'The user met Anna in Rome.', 'The user met Clara in Rome.'],
    ['a name at the beginning', 'Ana met the mayor.', 'Eva met the mayor.'],
    ['a negation', 'The user ate meat in Rome.', 'The user did not eat meat in Rome.'],
  ])('does not lose %s to a model that calls both the same', (_what, known, told) => {
    const near = neighbour('known', known, { statement: told });
    const same: StoredDecision = { hash: hashContent(told), memoryId: 'known', revision: 1, verdict: 'same' };
    const { changes, open } = classifyStatements(
      { changes: [observe(told)], links: [] },
      { neighbours: [near], decisions: [same], bands: BANDS, vectors: new Map([[told, Float32Array.from([1, 0])]]) },
    );
    expect(changes).toEqual([observe(told)]);
    expect(open).toEqual([]);
  });

  it('applies the last of several decisions about a pair', () => {
    expect(classify([bus], [decide('apart'), decide('replaces')]).changes[0]).toMatchObject({
      matches: { replaces: [{ memoryId: 'bus' }] },
    });
  });

  it('ignores a decision about another revision of the memory', () => {
    expect(classify([{ ...bus, revision: 2 }], [decide('replaces')]).open).toHaveLength(1);
  });

  it('compares neither quarantined statements, which have no vector, nor equal contents', () => {
    const requested = { changes: [observe(BUS)], links: [] };
    const evidence = { neighbours: [bus], decisions: [], bands: BANDS };
    expect(classifyStatements(requested, { ...evidence, vectors: new Map() })).toEqual({ ...requested, open: [] });
    expect(classify([neighbour('train', 'the user takes the TRAIN to work')]).open).toEqual([]);
  });

  it('compares a stored memory like a new statement, except with statements of the same write', () => {
    const stored: MemoryChange = { kind: 'compare', memoryId: 'late', statement: { content: TRAIN, type: 'semantic' } };
    const classifyStored = (neighbours: readonly Neighbour[]) =>
      classifyStatements(
        { changes: [{ ...stored, memoryId: 'other' }, stored], links: [] },
        { neighbours, decisions: [], bands: BANDS, vectors: new Map([[TRAIN, Float32Array.from([1, 0])]]) },
      );
    const { from: _from, ...ofStored } = edge;
    const edges = ['other', 'late'].map((fromMemoryId) => ({ ...ofStored, fromMemoryId }));
    expect(classifyStored([bus]).links).toEqual(edges);
    const sameWords = neighbour('same', 'The user takes a train to work.', { cosine: 0.97 });
    const repeated = classifyStored([sameWords, bus]);
    expect(repeated.changes[1]).toEqual({ ...stored, same: [sameWords] });
    // The one that is merged gets none after all, when the write is planned.
    expect(repeated.links).toEqual(edges);
  });

  it('links each statement to the nearest memories and to statements before it, up to the maximum', () => {
    const contents = [BUS, TRAIN];
    const near = Array.from({ length: MAX_EDGES + 2 }, (_, index) =>
      neighbour(`m${index}`, `Topic ${index}.`, { cosine: 0.51 + index / 100 }),
    );
    const { links } = classifyStatements(
      { changes: contents.map((content) => observe(content)), links: [] },
      {
        neighbours: near,
        decisions: [],
        bands: BANDS,
        vectors: new Map(contents.map((content) => [content, Float32Array.from([1, 0])])),
      },
    );
    expect(links.map((link) => ('to' in link ? `statement ${link.to}` : link.toMemoryId))).toEqual([
      'statement 0',
      'm6',
      'm5',
      'm4',
      'm3',
    ]);
    expect(links.every((link) => 'from' in link && link.from === 1)).toBe(true);
  });
});
