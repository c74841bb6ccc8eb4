import { splitWords, stem, toBaseForm } from '@annals/english';
import { listFacts } from '../meaning/kept-facts.js';

/** What a text says, and what it denies: how often each stem occurs in each. */
interface ReadText {
  readonly stated: ReadonlyMap<string, number>;
  /** The stems of each negation, the denied verb first. */
  readonly denied: readonly (readonly string[])[];
}

/**
 * What a text states although all sources that speak of it deny it: "Ana signed the lease" of "I have not signed the
 * lease". The other way round, a denial that no source has, is an invented fact.
 */
export function findReversedNegations(sources: readonly string[], text: string): readonly string[] {
  const read = readText(text);
  const readSources = sources.map(readText);
  return readSources
    .flatMap(({ denied }) => denied)
    .filter((words) => isStated(words, read) && !readSources.some((source) => isStated(words, source)))
    .map((words) => words.join(' '));
}

/** What a negation is about; behind it stand where, when and why, which a shorter text leaves out. */
const MAX_WORDS = 3;

function readText(text: string): ReadText {
  const negations = listFacts(text)
    .filter(({ kind }) => kind === 'negation')
    .map(({ value }) => splitWords(value).slice(1).map(toBaseStem));
  const stated = new Map<string, number>();
  for (const word of listStems(text)) stated.set(word, (stated.get(word) ?? 0) + 1);
  for (const word of negations.flat()) stated.set(word, (stated.get(word) ?? 0) - 1);
  return { stated, denied: negations.map((words) => words.slice(0, MAX_WORDS)).filter(({ length }) => length > 0) };
}

function listStems(text: string): string[] {
  return splitWords(text).map((word) => stem(toBaseForm(word)));
}

/** Of a word that is a stem already: a second stemming would change it. */
function toBaseStem(word: string): string {
  const base = toBaseForm(word);
  return base === word ? word : stem(base);
}

/** A shorter text says less of it: the verb and half of the other words are enough to be the same statement. */
function isStated([verb, ...others]: readonly string[], { stated }: ReadText): boolean {
  const has = (word: string) => (stated.get(word) ?? 0) > 0;
  return has(verb!) && others.filter(has).length * 2 >= others.length;
}
