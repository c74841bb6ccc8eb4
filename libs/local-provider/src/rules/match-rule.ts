import type { Clause, SubjectKind } from '../clauses/read-subject.js';
import { type ClauseRule, SELF_OR_GROUP } from './clause-rule.js';
import { DOING_RULES } from './doing-rules.js';
import { EVENT_RULES } from './event-rules.js';
import { HABIT_RULES } from './habit-rules.js';
import { INTENT_RULES } from './intent-rules.js';
import { NAMED_RULES } from './named-rules.js';
import { PEOPLE_RULES } from './people-rules.js';
import { PROFILE_RULES } from './profile-rules.js';
import { TASTE_RULES } from './taste-rules.js';

/** In order: what says more about a person stands first, and the general rules for things that happened last. */
export const CLAUSE_RULES: readonly ClauseRule[] = [
  ...PROFILE_RULES,
  ...TASTE_RULES,
  ...PEOPLE_RULES,
  ...INTENT_RULES,
  ...DOING_RULES,
  ...EVENT_RULES,
  ...NAMED_RULES,
  ...HABIT_RULES,
];

export interface ClauseFacts {
  past: boolean;
  hasDate: boolean;
  contentNouns: number;
  /** The predicate ends in a date, a time, a number, a colour or a name. */
  hasValue: boolean;
}

const byKind = { self: listRulesOf('self'), group: listRulesOf('group'), own: listRulesOf('own') };

function listRulesOf(kind: SubjectKind): ClauseRule[] {
  return CLAUSE_RULES.filter(({ subjects = SELF_OR_GROUP }) => subjects.includes(kind));
}

export function matchRule(clause: Clause, facts: ClauseFacts): ClauseRule | undefined {
  const phrase = clause.phrase.toLowerCase();
  const predicate = readPredicate(clause);
  return byKind[clause.kind].find(
    (rule) =>
      rule.predicate.test(predicate) &&
      (!rule.phrase || rule.phrase.test(phrase)) &&
      (!rule.tense || rule.tense === (facts.past ? 'past' : 'present')) &&
      !rule.unless?.test(predicate) &&
      isSatisfied(rule, facts),
  );
}

const ADVERB_INSIDE =
  /^(am|are|was|were|have|had|will|would) (?:(?:still|also|now|currently|already|finally|recently|mainly|constantly|both|all) )+/;

/** "are" after "we" reads like "am" after "I", so that one pattern serves both. */
function readPredicate({ kind, predicate }: Clause): string {
  const lower = predicate.toLowerCase().replace(ADVERB_INSIDE, '$1 ');
  return kind === 'group' ? lower.replace(/^are\b/, 'am').replace(/^were\b/, 'was') : lower;
}

function isSatisfied({ needs }: ClauseRule, { hasDate, contentNouns, hasValue }: ClauseFacts): boolean {
  switch (needs) {
    case undefined:
      return true;
    case 'noun':
      return contentNouns > 0;
    case 'date':
      return hasDate && contentNouns > 0;
    case 'day':
      return hasDate;
    case 'value':
      return hasValue;
    case 'detail':
      return contentNouns > 1 || (hasDate && contentNouns > 0);
  }
}
