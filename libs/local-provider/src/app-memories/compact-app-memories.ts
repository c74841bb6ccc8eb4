import { splitSentences } from '@annals/english';
import type { AppMemory, CompactionDecision, CompactionInput } from '@annals/llm-core';

/**
 * Decides about eleven memories without a model (docs/reference/app-memories.md#app-memories-without-a-model): merges the
 * new one where one of two says all that the other says, else deletes the one of least value, the oldest of equal ones.
 */
export function compactLocally({ current, fresh }: CompactionInput): CompactionDecision {
  const oldestFirst = current.toSorted(compareByAge);
  for (const memory of oldestFirst) {
    if (says(memory.content, fresh.content)) return merge(memory, memory.content);
    if (says(fresh.content, memory.content)) return merge(memory, fresh.content);
  }
  const said = oldestFirst.find((memory) =>
    oldestFirst.some((other) => other !== memory && says(other.content, memory.content)),
  );
  if (said) return { action: 'delete', targetId: said.id, reason: 'another memory says it' };
  const [least] = [...oldestFirst, fresh].toSorted((a, b) => measureValue(a) - measureValue(b));
  return { action: 'delete', targetId: least!.id, reason: 'of least value' };
}

function merge({ id }: AppMemory, newContent: string): CompactionDecision {
  return { action: 'edit', targetId: id, newContent, reason: 'one says all of the other' };
}

function compareByAge(a: AppMemory, b: AppMemory): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** What, added to a sentence, can turn or limit it. */
const LIMITING = new Set(
  (
    'no not never none nothing nobody longer anymore until till unless if when while but except only instead without ' +
    'less than before former almost nearly hardly rarely maybe perhaps used stopped'
  ).split(' '),
);
const WORD = /[\p{L}\p{N}]+(?:[.,:'’-][\p{L}\p{N}]+)*/gu;

/** Whether every sentence of `said` begins a sentence of `content` that goes on without limiting it. */
export function says(content: string, said: string): boolean {
  const sentences = splitSentences(content).map(listWords);
  return splitSentences(said)
    .map(listWords)
    .every((words) => sentences.some((whole) => goesOn(words, whole)));
}

function goesOn(words: readonly string[], whole: readonly string[]): boolean {
  const rest = whole.slice(words.length);
  return (
    words.every((word, at) => whole[at] === word) && !rest.some((word) => LIMITING.has(word) || word.endsWith("n't"))
  );
}

function listWords(sentence: string): string[] {
  return (sentence.normalize('NFKC').toLowerCase().match(WORD) ?? []).map((word) => word.replace('’', "'"));
}

const FUNCTION_WORD =
  /^(?:the|an?|of|to|in|on|at|for|with|and|or|is|are|was|were|has|have|had|user|user's|assistant)$/u;
/** A number or a name says more than another word. */
const EXACT = /\d|(?<=\p{L}[^.!?\p{L}]+)\p{Lu}/u;
const EXACT_VALUE = 2;
/** Memories whose value differs by less are of equal value. */
const VALUE_STEP = 4;

/** How much a memory says, in steps: different words, with numbers and names for two more each. */
function measureValue({ content }: AppMemory): number {
  const words = new Set(listWords(content).filter((word) => !FUNCTION_WORD.test(word)));
  const exact = content.match(new RegExp(EXACT, 'gu'))?.length ?? 0;
  return Math.floor((words.size + exact * EXACT_VALUE) / VALUE_STEP);
}
