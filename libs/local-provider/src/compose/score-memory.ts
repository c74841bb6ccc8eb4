import type { Clause } from '../clauses/read-subject.js';
import type { ClauseRule } from '../rules/clause-rule.js';

const HEDGES = /\b(?:probably|kind of|sort of|hopefully|almost|a bit|somewhat|pretty much|mostly)\b/i;
const LONG_CONTENT = 160;
const MILESTONES =
  /\b(?:married|engaged|divorced|born|died|passed away|diagnosed|hired|fired|laid off|promoted|graduated|accepted|adopted|pregnant|moved|surgery|quit|won|published)\b/i;

export interface Score {
  importance: number;
  confidence: number;
}

/**
 * The rule's own scores, moved by what the words tell. Importance: +1 for a dated task, +1 for a milestone of life,
 * at most 5. Confidence: −0.10 when the subject was left out, −0.10 for a hedge, −0.05 when others are only "we",
 * −0.05 above 160 characters (more was carried along), +0.05 when a date was resolved; between 0.4 and 0.95.
 */
export function scoreMemory(rule: ClauseRule, clause: Clause, content: string, hasDate: boolean): Score {
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
