import type { WritingRule } from '@annals/contracts';
import { splitSentences } from '@annals/english';
import {
  type CheckedStatement,
  checkWriting,
  countCharacters,
  MAX_STATEMENT_LENGTH,
  MAX_STATEMENT_SENTENCES,
} from './check-writing.js';

const TRIMMABLE: ReadonlySet<WritingRule> = new Set(['too_long', 'too_many_sentences']);
/** Where a sentence may be cut without changing its meaning. */
const CLAUSE_END = /[,;:—–](?=\s)/gu;
/** In characters. The text that remains after a cut must still be meaningful. */
const MIN_CUT_LENGTH = 40;

/**
 * Trims a statement to the allowed length (docs/reference/writing-constraints.md#rewrite-trim-reject), when it only
 * violates the length limit; null otherwise, or when no safe cut exists: half a sentence can mean the opposite, so only
 * whole sentences and clauses are retained.
 */
export function trimWriting(statement: CheckedStatement): string | null {
  const broken = checkWriting(statement);
  if (broken.length === 0) return statement.content;
  if (!broken.every((rule) => TRIMMABLE.has(rule))) return null;
  const sentences = splitSentences(statement.content);
  for (let kept = Math.min(MAX_STATEMENT_SENTENCES, sentences.length); kept > 0; kept -= 1) {
    const content = sentences.slice(0, kept).join(' ');
    if (fits({ ...statement, content })) return content;
  }
  return cutAtClause(statement, sentences[0] ?? '');
}

function cutAtClause(statement: CheckedStatement, sentence: string): string | null {
  const ends = [...sentence.matchAll(CLAUSE_END)].map(({ index }) => index).toReversed();
  for (const end of ends) {
    const content = `${sentence.slice(0, end).trim()}.`;
    if (end >= MIN_CUT_LENGTH && countCharacters(content) <= MAX_STATEMENT_LENGTH && fits({ ...statement, content }))
      return content;
  }
  return null;
}

function fits(statement: CheckedStatement): boolean {
  return checkWriting(statement).length === 0;
}
