import type { WritingRule } from '@annals/contracts';
import { readStatedFacts, splitWords } from '@annals/english';
import { type Fact, findInventedFacts, findLostFacts } from '../meaning/kept-facts.js';
import { checkWriting } from '../writing/check-writing.js';
import { findConflict, isOneSubject, isOneTense, listTerms, type PairConflict } from './find-conflict.js';
import type { PairedStatement } from './merge-by-words.js';
import { listPersonWords } from './person-words.js';
import { listQualifiers } from './qualifiers.js';

/** What is wrong with a merged text, or with merging at all. */
export type MergeProblem =
  /** The two memories are not one fact. */
  | { readonly kind: 'conflict'; readonly conflict: PairConflict }
  | { readonly kind: 'lost' | 'invented'; readonly facts: readonly Fact[] }
  /** Words of a memory that the text left out, or words that neither memory nor any quote has. */
  | { readonly kind: 'lost_words' | 'invented_words'; readonly words: readonly string[] }
  /** The text speaks of somebody else, says when or how far it holds differently, or exchanges who does what to whom. */
  | { readonly kind: 'changed'; readonly what: 'who' | 'tense' | 'limit' | 'order' }
  | { readonly kind: 'writing'; readonly rules: readonly WritingRule[] };

/** A merged text as a model words it. */
export interface ProposedMerge {
  readonly parts: readonly [PairedStatement, PairedStatement];
  readonly content: string;
  /** Quotes of the parts' sources: words of the text may come from them as well. */
  readonly quotes?: readonly string[];
}

/**
 * Why a merge that a model proposes is not written; empty when it is. The two statements must not differ in whom they
 * speak of, numbers, dates, names and negations, and the text must say all that both say and nothing else.
 */
export function checkMerge({ parts, content, quotes = [] }: ProposedMerge): MergeProblem[] {
  const [a, b] = [parts[0].content, parts[1].content];
  const conflict = parts[0].type === parts[1].type ? findConflict(a, b) : 'who';
  if (conflict !== null) return [{ kind: 'conflict', conflict }];
  return checkMergedText([a, b], content, { type: parts[0].type, quotes });
}

/**
 * The problems of a text that is to replace `parts`. Every merge passes it, also one that words
 * decided (docs/reference/consolidation.md#the-merged-text).
 */
export function checkMergedText(
  parts: readonly string[],
  content: string,
  { type, quotes = [] }: { readonly type: PairedStatement['type']; readonly quotes?: readonly string[] },
): MergeProblem[] {
  const lost = findLostFacts(parts, content);
  const invented = findInventedFacts([...parts, ...quotes], content);
  const rules = checkWriting({ content, type });
  const terms = listTerms(content);
  const lostWords = parts.flatMap((part) => listMissing(listTerms(part), terms));
  const inventedWords = listMissing(terms, new Set([...parts, ...quotes].flatMap((source) => [...listTerms(source)])));
  const what = findChange(parts, content);
  return [
    ...(lost.length > 0 ? [{ kind: 'lost', facts: lost } as const] : []),
    ...(invented.length > 0 ? [{ kind: 'invented', facts: invented } as const] : []),
    ...(lostWords.length > 0 ? [{ kind: 'lost_words', words: lostWords } as const] : []),
    ...(inventedWords.length > 0 ? [{ kind: 'invented_words', words: inventedWords } as const] : []),
    ...(what === null ? [] : [{ kind: 'changed', what } as const]),
    ...(rules.length > 0 ? [{ kind: 'writing', rules } as const] : []),
  ];
}

function listMissing(terms: ReadonlySet<string>, present: ReadonlySet<string>): string[] {
  return [...terms].filter((term) => !present.has(term));
}

type Change = Extract<MergeProblem, { kind: 'changed' }>['what'];

function findChange(parts: readonly string[], content: string): Change | null {
  if (!parts.every((part) => listQualifiers(part).join(' ') === listQualifiers(content).join(' '))) return 'limit';
  const persons = new Set(parts.flatMap(listPersonWords));
  const named = listPersonWords(content);
  if (named.length !== persons.size || !parts.some((part) => isOneSubject(part, content))) return 'who';
  if (!parts.every((part) => isOneTense(part, content))) return 'tense';
  return parts.some((part) => exchanges(part, content)) && !parts.some((part) => keepsOrder(part, content))
    ? 'order'
    : null;
}

/** Words between which the order carries the meaning. */
const DIRECTED = /^(?:over|than|before|after|to|from|by|instead|against)$/u;

/** Of each word of direction, and of each pair of names, what stands before and what behind it. */
function listOrders(text: string): Set<string> {
  const stated = readStatedFacts(text);
  const names = stated.names.map(({ value }) => value);
  const orders = names.flatMap((name, at) => names.slice(at + 1, at + 4).map((other) => `${name} > ${other}`));
  const words = splitWords(text);
  for (const [at, word] of words.entries()) {
    if (DIRECTED.test(word)) orders.push(`${words[at - 1] ?? ''} ${word} ${words[at + 1] ?? ''}`);
  }
  return new Set(orders);
}

function exchanges(part: string, content: string): boolean {
  const orders = listOrders(part);
  return [...listOrders(content)].some((order) => {
    const [before, sign, behind] = order.split(' ');
    return before !== behind && orders.has(`${behind} ${sign} ${before}`);
  });
}

function keepsOrder(part: string, content: string): boolean {
  const orders = listOrders(part);
  return [...listOrders(content)].every((order) => orders.has(order));
}
