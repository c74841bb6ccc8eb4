import type { WritingRule } from '@annals/contracts';
import {
  annotateDates,
  findSensitiveSubjects,
  isLikelyEnglish,
  NUMBER_WORDS,
  renderDay,
  renderMonth,
} from '@annals/english';
import { findInventedFacts } from '../meaning/kept-facts.js';
import { isRewording } from '../meaning/is-rewording.js';
import { findReversedNegations } from '../meaning/reversed-negations.js';
import { checkWriting } from '../writing/check-writing.js';
import { inferField } from './infer-field.js';
import { addSubject, isAboutPerson } from './is-about-person.js';
import { refersToAssistant } from './refers-to-assistant.js';
import { type CheckedInsight, type DraftedInsight, INSIGHT_IMPORTANCE, type ShownEvidence } from './types.js';

/** A run keeps at most as many. */
export const MAX_INSIGHTS = 3;
const MAX_TAGS = 5;
const TAG = /^[\p{Ll}\p{N}][\p{Ll}\p{N} _-]{0,29}$/u;

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** Why an insight is not stored, in the order of the checks. */
export type InsightFault =
  | WritingRule
  | 'not_english'
  | 'pronoun_for_assistant'
  | 'not_about_person'
  | 'confidence'
  | 'sensitive'
  | 'invented'
  | 'reversed'
  | 'repeated'
  | 'too_many';

export type InsightCheck =
  | { readonly outcome: 'kept' | 'quarantined'; readonly insight: CheckedInsight }
  | { readonly outcome: 'refused'; readonly faults: readonly InsightFault[] };

export interface InsightBasis {
  /** Everything that could be cited. */
  readonly shown: readonly ShownEvidence[];
  /** The person's names, which an insight may use without evidence. */
  readonly names: readonly string[];
}

/**
 * Checks the insights of one answer, in its order (docs/reference/insights.md#checks-of-an-insight): one without evidence
 * that was shown is quarantined, one that violates a rule is refused, and so is one that another insight says already.
 */
export function checkInsights(drafts: readonly DraftedInsight[], basis: InsightBasis): InsightCheck[] {
  const kept: string[] = [];
  return drafts.map((draft) => {
    const checked = checkInsight(draft, basis);
    if (checked.outcome === 'refused') return checked;
    if (kept.some((summary) => isRewording(summary, draft.summary)))
      return { outcome: 'refused', faults: ['repeated'] };
    if (kept.length === MAX_INSIGHTS) return { outcome: 'refused', faults: ['too_many'] };
    kept.push(draft.summary);
    return checked;
  });
}

export function checkInsight(draft: DraftedInsight, { shown, names }: InsightBasis): InsightCheck {
  const summary = draft.summary.replace(/\s+/gu, ' ').trim();
  const tags = listTags(draft.tags);
  const evidence = shown.filter(({ label }) => draft.evidence.includes(label));
  const { confidence } = draft;
  const faults: InsightFault[] = [...checkWriting({ content: summary, type: 'insight' })];
  if (faults.includes('empty') || faults.includes('too_long')) return { outcome: 'refused', faults };
  if (!isEnglish(summary)) faults.push('not_english');
  if (refersToAssistant(summary)) faults.push('pronoun_for_assistant');
  if (!isAboutPerson(summary, names)) faults.push('not_about_person');
  if (!(confidence >= 0 && confidence <= 1)) faults.push('confidence');
  if (findSensitiveSubjects([summary, ...tags, draft.value ?? ''].join('. ')).length > 0) faults.push('sensitive');
  // Without evidence there is nothing to compare with; nobody is served what is quarantined.
  if (evidence.length > 0) faults.push(...listFalseFacts(addSubject(summary), evidence, names));
  if (faults.length > 0) return { outcome: 'refused', faults };
  const inferred = inferField(draft, evidence);
  return {
    outcome: evidence.length > 0 ? 'kept' : 'quarantined',
    insight: { summary, tags, importance: INSIGHT_IMPORTANCE, confidence, evidence, inferred },
  };
}

function listFalseFacts(
  summary: string,
  evidence: readonly ShownEvidence[],
  names: readonly string[],
): ('invented' | 'reversed')[] {
  const sources = listSources(evidence);
  const isInvented = findInventedFacts([...sources, ...names], removeTrueCounts(summary, evidence)).length > 0;
  const isReversed = findReversedNegations(sources, summary).length > 0;
  return [...(isInvented ? ['invented' as const] : []), ...(isReversed ? ['reversed' as const] : [])];
}

const LETTER = /\p{L}/gu;
const LATIN_LETTER = /\p{Script=Latin}/gu;

/** "Ana van der Berg": particles are words of other languages. */
const NAME_WITH_PARTICLES = /\p{Lu}\p{L}+(?: (?:van|von|de|der|den|di|da|dos|del|la|el|le)){1,2} \p{Lu}\p{L}+/gu;

/** Sensitive subjects are recognised in English only. A name may be in another script. */
function isEnglish(summary: string): boolean {
  const letters = summary.match(LETTER)?.length ?? 0;
  const latin = summary.match(LATIN_LETTER)?.length ?? 0;
  return latin * 2 >= letters && isLikelyEnglish(summary.replace(NAME_WITH_PARTICLES, ' '));
}

function listTags(tags: readonly string[]): string[] {
  const normalized = tags.map((tag) => tag.normalize('NFKC').trim().toLowerCase()).filter((tag) => TAG.test(tag));
  return [...new Set(normalized)].slice(0, MAX_TAGS);
}

/** What was said, and when: "in May 2026" is in no message. */
function listSources(evidence: readonly ShownEvidence[]): string[] {
  const times = evidence.flatMap(({ saidAt }) => [
    renderDay(saidAt),
    `in ${renderMonth(saidAt)}`,
    WEEKDAY.format(saidAt),
  ]);
  return [...evidence.map(({ content, saidAt }) => annotateDates(content, saidAt)), ...new Set(times)];
}

const COUNT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<count>\\d{1,3}|${NUMBER_WORDS.join('|')}) (?<what>day|message|time|month)s?(?!\\p{L})`,
  'giu',
);

/** The summary without what can be counted on its evidence: "on 3 days" is in no message either. */
function removeTrueCounts(summary: string, evidence: readonly ShownEvidence[]): string {
  const times = evidence.length;
  const days = new Set(evidence.map(({ saidAt }) => renderDay(saidAt))).size;
  const months = new Set(evidence.map(({ saidAt }) => renderMonth(saidAt))).size;
  const counts: Readonly<Record<string, number>> = { day: days, message: times, time: times, month: months };
  return summary.replace(COUNT, (words, count: string, what: string) => {
    const stated = Math.max(NUMBER_WORDS.indexOf(count.toLowerCase()), 0) || Number(count);
    return stated === counts[what.toLowerCase()] ? `some ${what}s` : words;
  });
}
