import { splitWords, stem } from '@annals/english';
import { HELD_OUT_INVENTED, HELD_OUT_LOST } from './kept-facts-held-out.fixture.js';
import { INVENTED, LISTED, LOST } from './kept-facts.fixture.js';
import { type Fact, findInventedFacts, findLostFacts, listFacts } from './kept-facts.js';

/** Negations are compared by the stems of their words. */
const normalize = (value: string) => (/^(?:not|ended) /u.test(value) ? splitWords(value).map(stem).join(' ') : value);
const values = (facts: readonly Fact[]) => facts.map(({ value }) => normalize(value)).toSorted();
const expected = (list: readonly string[]) => list.map(normalize).toSorted();

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
