import type { ExtractedMemory } from '@annals/contracts';
import { readEnding, readTypedValue } from '@annals/english';
import type { SubjectName } from '@annals/llm-core';
import type { IntroducedPeople } from './clauses/introduce-people.js';
import { type Clause, dropFillers, dropWithMe, parseClause } from './clauses/read-subject.js';
import { readReturn } from './clauses/read-return.js';
import { isContentNoun } from './clauses/tag-clause.js';
import { addressesListener, hasDanglingReference, isOnlyPlaceholder, isWellFormed } from './compose/check-content.js';
import { type DatedText, rewriteDates } from './dates/rewrite-dates.js';
import { capitalize, isAdverb, tagPredicate, toThirdPerson } from './person/to-third-person.js';
import { isPast } from './person/verbs.js';
import type { ClauseRule } from './rules/clause-rule.js';
import { type ClauseFacts, matchRule } from './rules/match-rule.js';

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
  const returned = readReturn(text, name.possessive);
  if (returned !== undefined) return draftReturn(capitalize(returned));
  if (addressesListener(text) || isOnlyPlaceholder(text)) return undefined;
  const clause = tidyClause(parseClause(text, introduced));
  if (!clause) return undefined;
  const words = tagPredicate(clause.predicate);
  if (hasDanglingReference(words, clause.kind === 'own')) return undefined;
  const past = isPast(clause.predicate, words, isAdverb);
  const retold = toThirdPerson(clause, words, name, past);
  const dated: DatedText = RETURNING_DAY.test(clause.phrase) ? { text: retold } : rewriteDates(retold, saidAt, past);
  const facts = {
    past,
    hasDate: dated.startsAt !== undefined,
    contentNouns: words.filter(isContentNoun).length,
    hasValue: endsInValue(clause),
  };
  const rule = matchRule(clause, facts) ?? matchEndedRule(clause, facts);
  if (!rule) return undefined;
  const content = `${capitalize(dated.text.replace(/\bcan not\b/g, 'cannot'))}.`;
  return isWellFormed(content) ? draftMemory(rule, clause, content, dated, saidAt) : undefined;
}

const AFTER_VALUE = /(?: (?:now|these days|again|instead)|,? (?:since|because|as) .*)+$/u;

function endsInValue({ predicate }: Clause): boolean {
  return readTypedValue(predicate.replace(AFTER_VALUE, '')) !== null;
}

function draftReturn(content: string): DraftedMemory {
  return { content: `${content}.`, category: 'projects', type: 'semantic', importance: 3, confidence: 0.75 };
}

/** What is over is filed like what was: "I am no longer allergic to peanuts" beside the allergy. */
function matchEndedRule(clause: Clause, facts: ClauseFacts): ClauseRule | undefined {
  const ended = readEnding(clause.predicate)?.ended;
  if (ended === undefined) return undefined;
  const predicate = ended.replace(/^be /, clause.kind === 'own' ? 'is ' : 'am ');
  return matchRule({ ...clause, predicate }, { ...facts, past: false });
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
    type: rule.type ?? 'semantic',
    ...scoreMemory(rule, clause, content, startsAt !== undefined),
  };
  // A plan holds from when it was made, so only a date that has come is the start of anything.
  return startsAt !== undefined && startsAt <= saidAt
    ? { ...memory, valid_from: new Date(startsAt).toISOString() }
    : memory;
}

const HEDGES = /\b(?:probably|kind of|sort of|hopefully|almost|a bit|somewhat|pretty much|mostly)\b/i;
const LONG_CONTENT = 160;
const MILESTONES =
  /\b(?:married|engaged|divorced|born|died|passed away|diagnosed|hired|fired|laid off|promoted|graduated|accepted|adopted|pregnant|moved|surgery|quit|won|published)\b/i;

/**
 * The rule's own scores, moved by what the words tell. Importance: +1 for a dated task, +1 for a milestone of life,
 * at most 5. Confidence: −0.10 when the subject was left out, −0.10 for a hedge, −0.05 when others are only "we",
 * −0.05 above 160 characters (more was carried along), +0.05 when a date was resolved; between 0.4 and 0.95.
 */
function scoreMemory(rule: ClauseRule, clause: Clause, content: string, hasDate: boolean) {
  let importance = rule.importance;
  if (rule.category === 'tasks' && hasDate) importance += 1;
  if (rule.category === 'event' && importance < 4 && MILESTONES.test(content)) importance += 1;
  let confidence = rule.confidence;
  if (clause.elided) confidence -= 0.1;
  if (HEDGES.test(clause.predicate)) confidence -= 0.1;
  if (clause.kind === 'group' && !clause.phrase) confidence -= 0.05;
  if (content.length > LONG_CONTENT) confidence -= 0.05;
  if (hasDate) confidence += 0.05;
  return {
    importance: Math.min(5, importance),
    confidence: Math.round(Math.min(0.95, Math.max(0.4, confidence)) * 100) / 100,
  };
}
