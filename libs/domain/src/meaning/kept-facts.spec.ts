import { splitWords, stem } from '@annals/english';
import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import { HELD_OUT_INVENTED, HELD_OUT_LOST } from './kept-facts-held-out.fixture.js';
import { INVENTED, LISTED, LOST } from './kept-facts.fixture.js';
import { type Fact, findInventedFacts, findLostFacts, listFacts } from './kept-facts.js';

const values = (facts: readonly Fact[]) => facts.map(({ value }) => value).toSorted();
/** Negations are given by the stems of their words. */
const toStems = (value: string) =>
  value.replace(/(?<=^(?:not|ended) ).+/u, (words) => splitWords(words).map(stem).join(' '));
const expected = (list: readonly string[]) => list.map(toStems).toSorted();

describe('listFacts', () => {
  it.each(LISTED)('of “%s” lists as %s %j', (text, kind, list) => {
    expect(values(listFacts(text).filter((fact) => fact.kind === kind))).toEqual(expected(list));
  });
});

describe('findLostFacts', () => {
  it.each(LOST)('of “%s” and “%s” is %j', (parts, text, lost) => {
    expect(values(findLostFacts(parts.split('|'), text))).toEqual(expected(lost));
  });
});

describe('findInventedFacts', () => {
  it.each(INVENTED)('of “%s” and “%s” is %j', (sources, text, invented) => {
    expect(values(findInventedFacts(sources.split('|'), text))).toEqual(expected(invented));
  });
});

describe('cases that the rules were not written for', () => {
  it.each(HELD_OUT_LOST)('lost, of “%s” and “%s”: %j', (parts, text, lost) => {
    expect(values(findLostFacts(parts.split('|'), text))).toEqual(expected(lost));
  });

  it.each(HELD_OUT_INVENTED)('invented, of “%s” and “%s”: %j', (sources, text, invented) => {
    expect(values(findInventedFacts(sources.split('|'), text))).toEqual(expected(invented));
  });
});

describe('hostile texts', () => {
  it.each(['a', 'a-', '5 a', 'not a ', 'Ana ', '8 May ', 'hundred and ', '1.'])(
    'reads %j repeated in linear time',
    (unit) => {
      const work = (size: number) => {
        const text = unit.repeat(size / unit.length);
        findLostFacts([text], text);
        findInventedFacts([text], text);
      };
      expect(measureCpuGrowth(work, 20_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );
});
