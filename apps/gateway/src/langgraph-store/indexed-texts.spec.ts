import { runAtOnce } from '@annals/domain';
import { listIndexedTexts, listWords, measureStored } from './indexed-texts.js';

const list = (value: object, paths: readonly string[], max: number) => runAtOnce(listIndexedTexts(value, paths, max));

const VALUE = {
  title: 'Guide',
  meta: { year: 2026, on: true, none: null, 'a.b': 'dotted' },
  chapters: [{ content: 'one' }, { content: 'two' }, { other: 'x' }],
  authors: [{ name: 'Ada' }, { name: 'Bob' }],
  empty: '',
};

describe('listIndexedTexts', () => {
  it.each([
    ['title', ['Guide']],
    ['meta.year', ['2026']],
    ['meta.on', ['true']],
    ['meta.none', []],
    ['chapters[*].content', ['one', 'two']],
    ['chapters[0].content', ['one']],
    ['authors[-1].name', ['Bob']],
    ['authors[9].name', []],
    ['authors.*.name', ['Ada', 'Bob']],
    ['authors[1]', ['{\n  "name": "Bob"\n}']],
    ['title.deeper', []],
    ['title[0]', []],
    ['none', []],
    ['empty', []],
    ['constructor', []],
    ['chapters[x', []],
    ['..', [JSON.stringify(VALUE, null, 2)]],
    ['$', [JSON.stringify(VALUE, null, 2)]],
  ])('finds at %s', (path, texts) => {
    expect(list(VALUE, [path], 100)).toEqual(texts);
  });

  it('reads each path once, and stops behind the maximum', () => {
    expect(list(VALUE, ['title', 'title'], 100)).toEqual(['Guide']);
    const many = { list: Array.from({ length: 1_000 }, (_, n) => n) };
    expect(list(many, ['list[*]'], 10)).toHaveLength(11);
  });

  it('cuts long texts', () => {
    expect(list({ t: 'x'.repeat(100_000) }, ['t'], 1)[0]).toHaveLength(8_000);
    expect(list({ t: `x${'😀'.repeat(8_000)}` }, ['t'], 1)[0]!.isWellFormed()).toBe(true);
  });

  it('renders the beginning of a value as JSON.stringify does, and no more of it', () => {
    const value = { a: [[], {}, [1, 'x\n"', null, { b: [true] }]], c: 'y'.repeat(20_000), d: 1 };
    const [text] = list(value, ['$'], 1);
    expect(text).toHaveLength(8_000);
    expect(JSON.stringify(value, null, 2).startsWith(text!)).toBe(true);
    let deep: unknown = Array.from({ length: 200_000 }, () => 0);
    for (let depth = 0; depth < 95; depth += 1) deep = [deep];
    const paths = Array.from({ length: 50 }, (_, n) => '.'.repeat(n + 1));
    // As JSON.stringify has it, each of these is a text of 40 million characters.
    expect(list({ deep }, paths, 100).map(({ length }) => length)).toEqual(paths.map(() => 8_000));
  });

  it('gives others their turn while it looks for what is not there', () => {
    const work = listIndexedTexts({ list: Array.from({ length: 50_000 }, () => ({ a: 1 })) }, ['list[*].b'], 100);
    let slices = 1;
    while (!work.next().done) slices += 1;
    expect(slices).toBeGreaterThan(5);
  });
});

describe('listWords', () => {
  it('has texts, numbers and booleans in their order, and no names of fields', () => {
    expect(listWords({ name: 'Ada', list: ['x', { deep: 1.5 }], no: null, yes: true })).toBe('Ada\nx\n1.5\ntrue');
  });

  it('has a bounded length, whatever the value, and no half of a character', () => {
    const words = listWords({ a: 'x'.repeat(49_999), b: '😀'.repeat(50_000) });
    expect(words.length).toBeLessThanOrEqual(50_000);
    expect(words.isWellFormed()).toBe(true);
  });
});

describe('measureStored', () => {
  it('counts numbers as they are stored, without exponents', () => {
    const measure = (value: object) => measureStored(value, JSON.stringify(value));
    expect(measure({ a: 'é', n: [1, null, 2.5] })).toBe(Buffer.byteLength('{"a":"é","n":[1,null,2.5]}'));
    expect(measure({ n: [1e308, { m: -5e-324 }] })).toBeGreaterThan(308 + 324);
  });
});
