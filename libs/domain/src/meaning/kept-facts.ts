import { stem } from '@annals/english';
import { type DetailedFact, type Fact, type ReadFacts, readFacts as readFactsAnew } from './read-facts.js';
import { rememberReadings } from './remember-readings.js';

export type { Fact, FactKind } from './read-facts.js';

export type FactList = readonly Fact[];

/** UTF-16 units: sets of words and stems take about 100 bytes for each of them. */
const MAX_REMEMBERED_UNITS = 100_000;

const readFacts = rememberReadings(readFactsAnew, MAX_REMEMBERED_UNITS);

/** The numbers, dates, names and negations of a text, by kind and in order (English). Takes linear time. */
export function listFacts(text: string): FactList {
  return readFacts(text).facts.map(toFact);
}

/**
 * What any of the parts states and the text does not: a merged text must keep all of it. A number or date may be given
 * more exactly than by a part; numbers of the same thing must agree.
 */
export function findLostFacts(parts: readonly string[], text: string): FactList {
  const merged = readFacts(text);
  return toList(
    parts.flatMap((part) => {
      const { facts } = readFacts(part);
      return [...facts.filter((fact) => !isKept(fact, merged)), ...listRarer(facts, merged.facts)];
    }),
  );
}

/** What the text states and no single source does: a summary must state nothing of this kind. */
export function findInventedFacts(sources: readonly string[], text: string): FactList {
  const read = sources.map(readFacts);
  return toList(readFacts(text).facts.filter((fact) => !read.some((source) => isStated(fact, source))));
}

function toList(facts: readonly DetailedFact[]): FactList {
  const different = new Map(facts.map((fact) => [`${fact.kind} ${fact.value}`, fact]));
  return [...different.values()].map(toFact);
}

function toFact({ kind, value, text }: DetailedFact): Fact {
  return { kind, value, text };
}

function isKept(fact: DetailedFact, text: ReadFacts): boolean {
  return fact.kind === 'negation' ? isNegationKept(fact, text) : isStated(fact, text);
}

function isStated(fact: DetailedFact, source: ReadFacts): boolean {
  switch (fact.kind) {
    case 'number':
      return isNumberStated(fact, source);
    case 'date':
      return findSharing(fact, source).some((other) => includesParts(other, fact));
    case 'name':
      return isNameStated(fact, source);
    case 'negation':
      return findSharing(fact, source).some((other) => isSameNegation(fact, other, source));
  }
}

/** Facts of the same kind that share a part. */
function findSharing({ kind, parts }: DetailedFact, { index }: ReadFacts): DetailedFact[] {
  return parts.flatMap((part) => index.get(`${kind} ${part}`) ?? []);
}

function includesParts(exact: DetailedFact, { parts }: DetailedFact): boolean {
  return parts.every((part) => exact.parts.includes(part));
}

/** "Two dogs and three cats" does not state two cats. */
function isNumberStated(fact: DetailedFact, { index }: ReadFacts): boolean {
  const ofSame = fact.counted.flatMap((thing) => index.get(`counted ${thing}`) ?? []);
  const numbers = ofSame.length > 0 ? ofSame : (index.get(`number ${fact.parts[0]!}`) ?? []);
  return numbers.some((other) => includesParts(other, fact));
}

function isNameStated({ parts: [name], isUnsure }: DetailedFact, { words, stems }: ReadFacts): boolean {
  return words.has(name!) || (isUnsure && stems.has(stem(name!)));
}

/**
 * "Not eat meat" is stated by "not eat meat or fish", and by "no meat". It is not by "not eat meat" of somebody else, nor
 * by a source that says that its object is so: "eats meat but does not eat fish".
 */
function isSameNegation(fact: DetailedFact, other: DetailedFact, { affirmed }: ReadFacts): boolean {
  if (getNegationKind(fact) !== getNegationKind(other)) return false;
  if (fact.subject !== null && other.subject !== null && fact.subject !== other.subject) return false;
  const missing = fact.parts.filter((word) => !other.parts.includes(word));
  const object = fact.parts.at(-1)!;
  return missing.length * 2 <= fact.parts.length && !(missing.includes(object) && affirmed.has(object));
}

const getNegationKind = ({ value }: DetailedFact) => value.split(' ', 1)[0];

/** A text that is to keep a negation has to keep its object as well, which stands last. */
function isNegationKept(fact: DetailedFact, text: ReadFacts): boolean {
  const object = fact.parts.at(-1)!;
  const ofObject = text.index.get(`negation ${object}`) ?? [];
  return ofObject.some((other) => isSameNegation(fact, other, text));
}

/** Numbers that the part has more often than the text: "two dogs and two cats" is more than "two dogs and cats". */
function listRarer(part: readonly DetailedFact[], text: readonly DetailedFact[]): DetailedFact[] {
  const [inPart, inText] = [countNumbers(part), countNumbers(text)];
  return part.filter(({ kind, value, parts: [amount] }) => {
    return kind === 'number' && inPart.get(value)! > 1 && inPart.get(value)! > (inText.get(amount!) ?? 0);
  });
}

/** How often numbers occur, by value and by their amount alone. */
function countNumbers(facts: readonly DetailedFact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const {
    kind,
    value,
    parts: [amount],
  } of facts) {
    if (kind !== 'number') continue;
    for (const key of new Set([value, amount!])) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
