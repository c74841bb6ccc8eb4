import { parseClause, type SlotExtractor } from './parse-clause.js';
import {
  extractAge,
  extractCount,
  extractDiet,
  extractMaritalStatus,
  extractPossession,
  extractWeight,
} from './slot-extractors/extract-attributes.js';
import { extractAttributeValue, extractCondition } from './slot-extractors/extract-attribute-value.js';
import { extractGone, extractPursuit } from './slot-extractors/extract-pursuit.js';
import { extractResidence } from './slot-extractors/extract-residence.js';
import { extractReturn } from './slot-extractors/extract-return.js';
import { extractTaste } from './slot-extractors/extract-taste.js';
import { extractWorkflow } from './slot-extractors/extract-workflow.js';
import { extractWork } from './slot-extractors/extract-work.js';
import { rememberReadings } from './remember-readings.js';
import type { Slot } from './slot.js';

export interface SlotInput {
  readonly content: string;
  readonly type: string;
}

/** In UTF-16 units. Longer statements usually contain more than one fact. */
const MAX_SLOT_STATEMENT_LENGTH = 160;

const SLOT_EXTRACTORS: readonly SlotExtractor[] = [
  extractResidence,
  extractWork,
  extractTaste,
  extractAge,
  extractWeight,
  extractMaritalStatus,
  extractDiet,
  extractCount,
  extractPossession,
  // After those of one attribute: values of any attribute or thing, and what a person does, has or is.
  extractGone,
  extractAttributeValue,
  extractCondition,
  extractPursuit,
];

/**
 * The slot that a statement fills; null if the statement can hold beside others. Tuned for precision: without a model
 * these rules alone decide that something has changed, so ambiguous statements have no slot: two sisters, a second job,
 * a visit, a plan, a name that two people may have. English only; other languages need a model.
 */
export function extractSlot({ content, type }: SlotInput): Slot | null {
  if (type === 'procedural') return extractWorkflow(content);
  if (content.length > MAX_SLOT_STATEMENT_LENGTH || type === 'insight') return null;
  return readSlot(content);
}

const readSlot = rememberReadings((content): Slot | null => {
  const statement = content
    .trim()
    .replace(/[.!]+$/u, '')
    .replace(/\bany more\b/gu, 'anymore');
  const returned = extractReturn(statement);
  if (returned) return returned;
  const correction = CORRECTION.exec(statement)?.groups as Record<'said' | 'not', string> | undefined;
  if (!correction) return extractFrom(SEPARATION.exec(statement)?.groups, statement);
  const slot = extractFrom(undefined, correction.said);
  // "Plays the viola, not the cello" ends what was said of the cello; "lives in Lund, not Malmo" has one value anyway.
  return slot?.mode === undefined ? slot : extractDenied(correction);
});

const CORRECTION = /^(?<said>.+?)(?:,| and) not (?<not>(?:(?:an?|the|in|at|on) )?[\p{L}\d-]+(?: [\p{L}\d-]+)?)$/u;
const SEPARATION = /^(?<who>[Tt]he user) and (?<other>\p{Lu}\p{L}+) (?:broke up|split up|separated)\b/u;

function extractFrom(separation: Record<string, string | undefined> | undefined, statement: string): Slot | null {
  const clause = parseClause(separation ? `${separation['who']!} broke up with ${separation['other']!}` : statement);
  if (!clause) return null;
  for (const extract of SLOT_EXTRACTORS) {
    const slot = extract(clause);
    // One of two sisters may live elsewhere; that she no longer lives here presupposes who is meant.
    if (slot) return clause.kind === 'relative' && slot.holds ? { ...slot, mode: slot.mode ?? 'beside' } : slot;
  }
  return null;
}

function extractDenied({ said, not }: Record<'said' | 'not', string>): Slot | null {
  const clause = parseClause(said);
  const verb = clause && /^\p{Ll}+/u.exec(clause.predicate)?.[0];
  return clause && verb ? extractPursuit({ ...clause, predicate: `no longer ${verb} ${not}` }) : null;
}
