import type { ExtractedMemory } from '@annals/contracts';
import { dropFillers, dropWithMe } from './clauses/drop-fillers.js';
import { parseClause } from './clauses/read-subject.js';
import type { Clause } from './clauses/read-subject.js';
import { isContentNoun } from './clauses/tag-clause.js';
import { addressesListener, hasDanglingReference, isOnlyPlaceholder, isWellFormed } from './compose/check-content.js';
import { scoreMemory } from './compose/score-memory.js';
import { rewriteDates } from './dates/rewrite-dates.js';
import type { DatedText } from './dates/rewrite-dates.js';
import type { IntroducedPeople } from './person/resolve-pronouns.js';
import type { SubjectName } from '@annals/llm-core';
import { capitalize, isAdverb, tagPredicate, toThirdPerson } from './person/to-third-person.js';
import { isPast } from './person/verb-tense.js';
import type { ClauseRule } from './rules/clause-rule.js';
import { matchRule } from './rules/match-rule.js';

export type DraftedMemory = Omit<ExtractedMemory, 'evidence'>;

/** A day of every year: putting it into one year would make it wrong. */
const RETURNING_DAY = /\b(?:birthday|anniversary)$/i;

/** The memory one clause gives, or nothing: silence is better than a statement nobody would keep. */
export function extractClause(
  text: string,
  introduced: IntroducedPeople,
  saidAt: number,
  name: SubjectName,
): DraftedMemory | undefined {
  if (addressesListener(text) || isOnlyPlaceholder(text)) return undefined;
  const clause = tidyClause(parseClause(text, introduced));
  if (!clause) return undefined;
  const words = tagPredicate(clause.predicate);
  if (hasDanglingReference(words, clause.kind === 'own')) return undefined;
  const past = isPast(clause.predicate, words, isAdverb);
  const retold = toThirdPerson(clause, words, name, past);
  const dated: DatedText = RETURNING_DAY.test(clause.phrase) ? { text: retold } : rewriteDates(retold, saidAt, past);
  const facts = { past, hasDate: dated.startsAt !== undefined, contentNouns: words.filter(isContentNoun).length };
  const rule = matchRule(clause, facts);
  if (!rule) return undefined;
  const content = `${capitalize(dated.text.replace(/\bcan not\b/g, 'cannot'))}.`;
  return isWellFormed(content) ? draftMemory(rule, clause, content, dated, saidAt) : undefined;
}

function tidyClause(clause: Clause | undefined): Clause | undefined {
  if (!clause) return undefined;
  const predicate = dropFillers(clause.predicate);
  return { ...clause, predicate: clause.kind === 'self' ? dropWithMe(predicate) : predicate };
}

function draftMemory(
  rule: ClauseRule,
  clause: Clause,
  content: string,
  { startsAt }: DatedText,
  saidAt: number,
): DraftedMemory {
  const memory: DraftedMemory = {
    content,
    category: rule.category,
    type: rule.type,
    ...scoreMemory(rule, clause, content, startsAt !== undefined),
  };
  // A plan holds from when it was made, so only a date that has come is the start of anything.
  return startsAt !== undefined && startsAt <= saidAt
    ? { ...memory, valid_from: new Date(startsAt).toISOString() }
    : memory;
}
