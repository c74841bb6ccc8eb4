import { type FactToken, readStatedFacts, type StatedFacts, stem, STOP_WORDS } from '@annals/english';
import { PLACEHOLDER_PATTERN } from '../redaction/placeholders.js';

export type FactKind = 'number' | 'date' | 'name' | 'negation';

/** A part of a text that must not be changed when it is worded anew. */
export interface Fact {
  readonly kind: FactKind;
  /** Equal for equal facts: "2", "900 EUR", "19:30", "#3", "/month"; "2023-05-08", "Tue"; "ana"; "not eat meat". */
  readonly value: string;
  /** As it is written. */
  readonly text: string;
}

/** A fact with what it is compared by: a number with its unit, a date by year, month and day, a negation by its words. */
export interface DetailedFact extends Fact {
  readonly parts: readonly string[];
  /** Of a number: stems of what is counted. */
  readonly counted: readonly string[];
  /** Of a negation: the name before it in its sentence, if there is one. */
  readonly subject: string | null;
  /** A name that opens a sentence may be another word. */
  readonly isUnsure: boolean;
}

/** A text with its facts, and its words for comparison. */
export interface ReadFacts {
  readonly facts: readonly DetailedFact[];
  /** Facts by kind and part ("number 900"), and numbers by what they count ("counted dog"); each different one once. */
  readonly index: ReadonlyMap<string, readonly DetailedFact[]>;
  /** Words of any case, folded, without stop words. */
  readonly words: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  /** Stems of the words that no negation covers. */
  readonly affirmed: ReadonlySet<string>;
}

export function readFacts(text: string): ReadFacts {
  const placeholders = text.match(PLACEHOLDER_PATTERN) ?? [];
  const stated = readStatedFacts(text.replace(PLACEHOLDER_PATTERN, (words) => ' '.repeat(words.length)));
  const words = stated.tokens.filter(({ isMark }) => !isMark).map(({ lower }) => fold(lower));
  const facts = [
    ...listNumbers(stated, text),
    ...listNamedDates(stated, text),
    ...placeholders.map((placeholder) => createFact('name', placeholder, placeholder)),
    ...stated.names.map(({ at, value, isUnsure }) => ({
      ...createFact('name', value, stated.tokens[at]!.text, [fold(value)]),
      isUnsure,
    })),
    ...listNegated(stated, text),
  ];
  return {
    facts,
    index: indexFacts(facts),
    words: new Set([...words.filter((word) => !STOP_WORDS.has(word)), ...placeholders]),
    stems: new Set(words.map(stem)),
    affirmed: listAffirmed(stated),
  };
}

/** In lower case, without accents and apostrophes. */
function fold(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
}

function createFact(kind: FactKind, value: string, text: string, parts: readonly string[] = [value]): DetailedFact {
  return { kind, value, text, parts, counted: [], subject: null, isUnsure: false };
}

function cut(text: string, tokens: readonly FactToken[], from: number, to: number): string {
  return text.slice(tokens[from]!.start, tokens[to - 1]!.end);
}

function listNumbers({ tokens, quantities }: StatedFacts, text: string): DetailedFact[] {
  return quantities.map(({ from, to, value, parts, counted }) => ({
    ...createFact('number', value, cut(text, tokens, from, to), parts),
    counted,
  }));
}

function listNamedDates({ tokens, dates }: StatedFacts, text: string): DetailedFact[] {
  return dates.map(({ from, to, value, parts }) => createFact('date', value, cut(text, tokens, from, to), parts));
}

const SENTENCE_END = /^[.!?…\n]$/u;

function listNegated({ tokens, negations, names }: StatedFacts, text: string): DetailedFact[] {
  const facts: DetailedFact[] = [];
  let next = 0;
  let subject: string | null = null;
  let at = 0;
  for (const { from, to, kind, words } of negations) {
    for (; at < from; at += 1) {
      if (tokens[at]!.isMark && SENTENCE_END.test(tokens[at]!.text)) subject = null;
      const name = names[next];
      if (name?.at !== at) continue;
      subject = fold(name.value);
      next += 1;
    }
    facts.push({
      ...createFact('negation', `${kind} ${words.join(' ')}`, cut(text, tokens, from, to), words),
      subject,
    });
  }
  return facts;
}

function listAffirmed({ tokens, negations }: StatedFacts): ReadonlySet<string> {
  const affirmed = new Set<string>();
  let next = 0;
  for (const [at, { lower, isMark }] of tokens.entries()) {
    while ((negations[next]?.to ?? Infinity) <= at) next += 1;
    if (!isMark && (negations[next]?.from ?? Infinity) > at) affirmed.add(stem(fold(lower)));
  }
  return affirmed;
}

/** Bounds what one fact is compared with; a text that repeats one number more often states nothing. */
const MAX_INDEXED = 64;

function indexFacts(facts: readonly DetailedFact[]): Map<string, DetailedFact[]> {
  const index = new Map<string, DetailedFact[]>();
  const known = new Set<string>();
  for (const fact of facts) {
    const identity = [fact.kind, fact.value, fact.subject, ...fact.counted].join(' ');
    if (known.has(identity)) continue;
    known.add(identity);
    for (const key of listKeys(fact)) {
      const bucket = index.get(key);
      if (!bucket) index.set(key, [fact]);
      else if (bucket.length < MAX_INDEXED) bucket.push(fact);
    }
  }
  return index;
}

function listKeys({ kind, parts, counted }: DetailedFact): string[] {
  return [...new Set([...parts.map((part) => `${kind} ${part}`), ...counted.map((thing) => `counted ${thing}`)])];
}
