import { type MemoryType, WRITING_RULES, type WritingRule } from '@annals/contracts';
import { isPresentTense, splitSentences } from '@annals/english';
import { normalizeContent } from '../hash/content-hash.js';
import { dependsOnContext } from './depends-on-context.js';
import { hasFirstOrSecondPerson } from './first-person.js';
import { hasPronounForUser } from './pronoun-for-user.js';

/** In characters and sentences (docs/reference/writing-constraints.md#length-limits). */
export const MAX_STATEMENT_LENGTH = 280;
export const MAX_STATEMENT_SENTENCES = 2;

const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export interface CheckedStatement {
  readonly content: string;
  readonly type: MemoryType;
}

/**
 * The rules that a statement violates; empty when it can be stored unchanged
 * (docs/reference/writing-constraints.md#rules-that-are-checked). A rule that cannot be checked in a language does not
 * apply: a false positive costs a model call, and in the end a memory, or a person's trust in the warning.
 */
export function checkWriting({ content, type }: CheckedStatement): WritingRule[] {
  if (!HAS_LETTER_OR_DIGIT.test(normalizeContent(content))) return ['empty'];
  const unquoted = removeQuotes(content);
  const checks: Record<Exclude<WritingRule, 'empty'>, boolean> = {
    too_long: countCharacters(content) > MAX_STATEMENT_LENGTH,
    too_many_sentences: splitSentences(joinLines(unquoted)).length > MAX_STATEMENT_SENTENCES,
    not_third_person: hasFirstOrSecondPerson(unquoted),
    pronoun_for_user: hasPronounForUser(unquoted),
    not_self_contained: dependsOnContext(unquoted),
    not_past_tense: type === 'episodic' && isPresentTense(unquoted),
  };
  return WRITING_RULES.filter((rule) => rule !== 'empty' && checks[rule]);
}

/** Characters, not UTF-16 units: an emoji is one. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

/** Double quotation marks and code; single ones where they cannot be apostrophes. */
const QUOTED =
  /[“"«„][^”"»“]*[”"»“]|`[^`\n]*`|(?<![\p{L}\p{N}])['‘](?=\S)(?:[^'’‘\n]|(?<=\p{L})['’](?=\p{L}))+['’](?![\p{L}\p{N}])/gu;

/** The memory without its quotes, which are other people's words. */
function removeQuotes(content: string): string {
  return content.replace(QUOTED, '“”');
}

/** An address and a list have several lines, and are one sentence. */
function joinLines(content: string): string {
  return content.replace(/\s*\n\s*/gu, ' ');
}
