import { VALID } from './breakages.fixture.js';
import { REPAIR_CORPUS } from './repair-corpus.fixture.js';
import { repairJson } from './repair-json.js';

describe('repairJson', () => {
  it.each(REPAIR_CORPUS)('passes $id of ALG §12', ({ input, output }) => {
    expect(repairJson(input)?.text ?? null).toBe(output);
  });

  it('leaves strict JSON as it is and counts nothing', () => {
    expect(repairJson(VALID)).toEqual({ text: VALID, repairs: 0 });
    expect(repairJson(`Here: ${VALID}\nDone.`)).toEqual({ text: VALID, repairs: 0 });
  });

  it('takes the first object that is an answer, else the first one', () => {
    expect(repairJson(`{"a":1} ${VALID}`)?.text).toBe(VALID);
    expect(repairJson('Two: {"a":1} and {"b":2}')?.text).toBe('{"a":1}');
  });

  it.each([
    ['', null],
    ['a sentence', null],
    ['"a string"', null],
    ['42', null],
    ['{"a":"b" + "c"}', null],
    ['{"a":1.}', null],
    ['{"a":"\u0007"}', null],
  ])('makes nothing of %j', (text, expected) => {
    expect(repairJson(text)).toBe(expected);
  });

  it.each([
    ['{"a":1,"b":[2,],}', 2],
    ["{'a':'b','c':'d'}", 1],
    ['{"a":1 /* one */, "b":2 // two\n}', 2],
    ['{"a":True,"b":None}', 2],
    ['{a:1}', 1],
    ['{ "a" : [ 1 , 2', 1],
  ])('counts the changed places of %j', (text, repairs) => {
    expect(repairJson(text)?.repairs).toBe(repairs);
  });

  it('gives up past 10 repairs and past 50,000 characters (ALG §7)', () => {
    const list = (repairs: number) => `[${'[1,],'.repeat(repairs)}0]`;
    expect(repairJson(list(10))?.repairs).toBe(10);
    expect(repairJson(list(11))).toBeNull();
    const long = (length: number) => `{"a":"${'x'.repeat(length - 9)}",}`;
    expect(repairJson(long(50_000))?.repairs).toBe(1);
    expect(repairJson(long(50_001))).toBeNull();
  });

  it.each([
    ['brackets', '['.repeat(50_000)],
    ['quotes', `{${'"'.repeat(49_000)}`],
    ['quoted commas', `{"a":"${'b","'.repeat(12_000)}`],
    ['escaped quotes', `{${'\\"'.repeat(24_000)}`],
    ['objects', '{a}'.repeat(16_000)],
    ['open objects', '{a:'.repeat(16_000)],
    ['comments', `[${'/**/'.repeat(12_000)}`],
    ['apostrophes', `['${"',".repeat(24_000)}`],
    ['fences', '```{'.repeat(12_000)],
    ['thoughts', '<think></think>'.repeat(6_000)],
  ])('ends soon on many %s', (_, text) => {
    const started = performance.now();
    repairJson(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
