import { redactText, runAtOnce } from '@annals/domain';
import { limitRedacted, listIndexedTexts, listWords, measureStored } from './indexed-texts.js';

const find = (value: object, paths: readonly string[], max: number) => runAtOnce(listIndexedTexts(value, paths, max));
const list = (...given: Parameters<typeof find>) => find(...given).map(({ text }) => text);
/** As they are embedded. */
const index = (...given: Parameters<typeof find>) =>
  find(...given).map((found) => limitRedacted(redactText(found.text).text, found));

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

  it.each([7_999, 8_000, 8_001, 11_999, 12_000, 12_001, 100_000])('cuts a text of %d characters to 8,000', (length) => {
    expect(find({ t: 'é'.repeat(length) }, ['t'], 1)).toEqual([
      { text: 'é'.repeat(Math.min(length, 12_000)), isCut: length > 12_000 },
    ]);
    expect(index({ t: 'é'.repeat(length) }, ['t'], 1)).toEqual(['é'.repeat(Math.min(length, 8_000))]);
  });

  it.each(['', 'x'])('cuts no character in half behind "%s"', (before) => {
    for (const texts of [list, index].map((read) => read({ t: before + '😀'.repeat(8_000) }, ['t'], 1)))
      expect(texts[0]!.isWellFormed()).toBe(true);
  });

  it('has no part of a personal datum that lies across an end', () => {
    const data = ['mary.quixotrium@example.com', '4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00'];
    for (const datum of data) {
      // Wherever it lies, also as a part of a value that is rendered.
      for (let end = 7_980; end <= 8_040; end += 1)
        expectRedacted(`${'a b '.repeat(3_000).slice(0, end - 20)} `, datum);
      for (let end = 11_980; end <= 12_040; end += 1)
        expectRedacted(`${'a b '.repeat(4_000).slice(0, end - 20)} `, datum);
    }
  });

  function expectRedacted(before: string, datum: string): void {
    for (const after of ['', ` ${'c d '.repeat(5_000)}`]) {
      const texts = [
        ...index({ t: before + datum + after }, ['t'], 1),
        ...index({ o: [before + datum + after] }, ['o'], 1),
      ];
      for (const text of texts) {
        expect(text.length).toBeLessThanOrEqual(8_000);
        expect(text).not.toMatch(/mary|quix|exam|4111|1111|3704|DE89|0532/);
      }
    }
  }

  it('renders the beginning of a value as JSON.stringify does, and no more of it', () => {
    const value = { a: [[], {}, [1, 'x\n"', null, { b: [true] }]], c: 'y'.repeat(20_000), d: 1 };
    const [text] = list(value, ['$'], 1);
    expect(text).toHaveLength(12_000);
    expect(JSON.stringify(value, null, 2).startsWith(text!)).toBe(true);
    let deep: unknown = Array.from({ length: 200_000 }, () => 0);
    for (let depth = 0; depth < 95; depth += 1) deep = [deep];
    const paths = Array.from({ length: 50 }, (_, n) => '.'.repeat(n + 1));
    // As JSON.stringify has it, each of these is a text of 40 million characters.
    expect(list({ deep }, paths, 100).map(({ length }) => length)).toEqual(paths.map(() => 12_000));
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
