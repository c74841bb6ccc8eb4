import { clampConfidence, mergeConfidence, roundConfidence } from './merge-confidence.js';
import { isEmptyField, type MergeableInput, mergeContext, type MergedContext, trimRationale } from './merge-fields.js';

/** What to do with a statement whose hash may already be stored (docs/reference/writes.md#duplicate-decision). */
export type DuplicateDecision =
  | { readonly action: 'insert'; readonly reason: 'unique_hash' }
  | {
      readonly action: 'update';
      readonly reason: 'confidence_improved';
      readonly fields: MergedContext & { readonly confidence: number };
    }
  | { readonly action: 'fill'; readonly reason: 'empty_fields_filled'; readonly fields: Partial<MergedContext> }
  | { readonly action: 'skip'; readonly reason: 'equal_confidence' | 'lower_confidence' };

const CONTEXT_FIELDS = ['emotionalContext', 'significance', 'relationshipDynamics', 'rationale'] as const;

/**
 * Of a statement with the same hash as `existing`: strictly higher confidence updates and merges; else empty stored
 * fields are filled; else nothing happens. Confidences are compared in 6 decimals; a missing one is 0.5.
 */
export function decideDuplicate(
  existing: MergeableInput | null | undefined,
  incoming: MergeableInput,
): DuplicateDecision {
  if (!existing) return { action: 'insert', reason: 'unique_hash' };
  const stored = roundConfidence(clampConfidence(existing.confidence));
  const offered = roundConfidence(clampConfidence(incoming.confidence));
  if (offered > stored) {
    const fields = { ...mergeContext(existing, incoming, true), confidence: mergeConfidence(stored, offered) };
    return { action: 'update', reason: 'confidence_improved', fields };
  }
  const fields = fillEmptyFields(existing, incoming);
  if (Object.keys(fields).length > 0) return { action: 'fill', reason: 'empty_fields_filled', fields };
  return { action: 'skip', reason: offered === stored ? 'equal_confidence' : 'lower_confidence' };
}

function fillEmptyFields(existing: MergeableInput, incoming: MergeableInput): Partial<MergedContext> {
  const fillable = CONTEXT_FIELDS.filter((field) => isEmptyField(existing[field]) && !isEmptyField(incoming[field]));
  return Object.fromEntries(
    fillable.map((field) => [field, field === 'rationale' ? trimRationale(incoming.rationale) : incoming[field]]),
  );
}
