import { annotateDates, splitSentences } from '@annals/english';
import { findInventedFacts } from '../meaning/kept-facts.js';
import { findReversedNegations } from '../meaning/reversed-negations.js';
import { checkWriting, countCharacters } from '../writing/check-writing.js';

/** In characters and sentences (docs/reference/app-memories.md#form-of-an-app-memory). */
export const MAX_APP_MEMORY_LENGTH = 400;
const MAX_SENTENCES = 4;

export type AppMemoryFault = 'empty' | 'too_long' | 'sentences' | 'not_third_person' | 'invented' | 'reversed';

/** A message or summary that an app memory was made from. */
export interface AppMemorySource {
  readonly content: string;
  /** Epoch ms: what "tomorrow" means in it. */
  readonly saidAt: number;
}

/**
 * What is wrong with an app memory, in the order of the checks; nothing when it can be stored. `sources`: whose
 * facts are the only ones it may state. `names`: of those who speak in it.
 */
export function checkAppMemory(
  content: string,
  sources: readonly AppMemorySource[],
  names: readonly string[] = [],
): AppMemoryFault[] {
  const faults = checkAppMemoryForm(content);
  const stated = sources.map((source) => annotateDates(source.content, source.saidAt));
  if (findInventedFacts([...stated, ...names], content).length > 0) faults.push('invented');
  if (findReversedNegations(stated, content).length > 0) faults.push('reversed');
  return faults;
}

/** Merged memories have as many sentences as their facts need. */
export function checkMergedForm(content: string): AppMemoryFault[] {
  return checkAppMemoryForm(content).filter((fault) => fault !== 'sentences');
}

function checkAppMemoryForm(content: string): AppMemoryFault[] {
  const violations = checkWriting({ content, type: 'episodic' });
  if (violations.includes('empty')) return ['empty'];
  const faults: AppMemoryFault[] = [];
  if (countCharacters(content) > MAX_APP_MEMORY_LENGTH) faults.push('too_long');
  if (splitSentences(content).length > MAX_SENTENCES) faults.push('sentences');
  if (violations.includes('not_third_person')) faults.push('not_third_person');
  return faults;
}
