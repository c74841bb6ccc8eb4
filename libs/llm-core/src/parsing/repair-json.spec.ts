import { measureCpuGrowth, MAX_LINEAR_GROWTH } from '@annals/testing';
import { VALID } from './malformed-answers.fixture.js';
import { REPAIR_CORPUS } from './repair-corpus.fixture.js';
import { repairJson } from './repair-json.js';

describe('repairJson', () => {
  it.each(REPAIR_CORPUS)('repairs $id of the corpus', ({ input, output }) => {
    expect(repairJson(input)?.text ?? null).toBe(output);
  });

  it('returns strict JSON unchanged with 0 repairs', () => {
    expect(repairJson(VALID)).toEqual({ text: VALID, repairs: 0 });
    expect(repairJson(`Here: ${VALID}\nDone.`)).toEqual({ text: VALID, repairs: 0 });
  });

  it('returns the first object that is an answer, otherwise the first one', () => {
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
  ])('returns null for %j', (text, expected) => {
    expect(repairJson(text)).toBe(expected);
  });

  it.each([
    ['{"a":1,"b":[2,],}', 2],
    ["{'a':'b','c':'d'}", 1],
    ['{"a":1 /* one */, "b":2 // two\n}', 2],
    ['{"a":True,"b":None}', 2],
    ['{a:1}', 1],
    ['{ "a" : [ 1 , 2', 1],
  ])('counts the repairs of %j', (text, repairs) => {
    expect(repairJson(text)?.repairs).toBe(repairs);
  });

  it('returns null past 10 repairs and past 50,000 characters', () => {
    const list = (repairs: number) => `[${'[1,],'.repeat(repairs)}0]`;
    expect(repairJson(list(10))?.repairs).toBe(10);
    expect(repairJson(list(11))).toBeNull();
    const long = (length: number) => `{"a":"${'x'.repeat(length - 9)}",}`;
    expect(repairJson(long(50_000))?.repairs).toBe(1);
    expect(repairJson(long(50_001))).toBeNull();
  });

  it.each([
    ['brackets', '', '['],
    ['quotes', '{', '"'],
    ['quoted commas', '{"a":"', 'b","'],
    ['escaped quotes', '{', '\\"'],
    ['objects', '', '{a}'],
    ['open objects', '', '{a:'],
    ['comments', '[', '/**/'],
    ['apostrophes', "['", "',"],
    ['fences', '', '```{'],
    ['<think> blocks', '', '<think></think>'],
  ])('takes linear time on many %s', (_, start, unit) => {
    const work = (size: number) => repairJson(start + unit.repeat(size / unit.length));
    expect(measureCpuGrowth(work, 50_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
