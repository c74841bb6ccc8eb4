import { truncateText, TRUNCATION_SUFFIX } from '../text/unicode.js';

/** Components of a memory's significance, 0–1 each; `overall` among them. */
type Significance = Readonly<Record<string, number>>;

/** The fields that a repeated statement may improve; missing and `null` mean the same: empty. */
export interface MergeableInput {
  readonly confidence?: number | null;
  readonly emotionalContext?: Readonly<Record<string, unknown>> | null;
  readonly significance?: Significance | null;
  readonly relationshipDynamics?: Readonly<Record<string, unknown>> | null;
  readonly rationale?: string | null;
}

export interface MergedContext {
  readonly emotionalContext: Readonly<Record<string, unknown>> | null;
  readonly significance: Significance | null;
  readonly relationshipDynamics: Readonly<Record<string, unknown>> | null;
  readonly rationale: string | null;
}

/** Maximum length of a rationale in UTF-16 units, suffix included: the limit of the contracts. */
const MAX_RATIONALE_LENGTH = 1_000;

/**
 * Merges the descriptive fields (docs/reference/writes.md#merging-descriptive-fields): emotional context member by
 * member from the more confident side, significance as the larger component, relationship dynamics shallowly with
 * arrays replaced only by the more confident side, the rationale of `incoming`. At equal confidence `base` counts as
 * the more confident.
 */
export function mergeContext(
  base: MergeableInput,
  incoming: MergeableInput,
  isIncomingMoreConfident: boolean,
): MergedContext {
  return {
    emotionalContext: isIncomingMoreConfident
      ? overlay(base.emotionalContext, incoming.emotionalContext)
      : overlay(incoming.emotionalContext, base.emotionalContext),
    significance: maxSignificance(base.significance, incoming.significance),
    relationshipDynamics: mergeDynamics(
      base.relationshipDynamics,
      incoming.relationshipDynamics,
      isIncomingMoreConfident,
    ),
    rationale: trimRationale(incoming.rationale) ?? trimRationale(base.rationale),
  };
}

/** True for values that count as missing: null, undefined, blank text, no members. */
export function isEmptyField(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The rationale without white space around it, at most 1,000 UTF-16 units; `null` when nothing is left. */
export function trimRationale(rationale: string | null | undefined): string | null {
  const trimmed = rationale?.trim() ?? '';
  if (trimmed.length <= MAX_RATIONALE_LENGTH) return trimmed === '' ? null : trimmed;
  return truncateText(trimmed, MAX_RATIONALE_LENGTH - TRUNCATION_SUFFIX.length);
}

type Members = Readonly<Record<string, unknown>> | null | undefined;

function overlay(below: Members, above: Members): Readonly<Record<string, unknown>> | null {
  return emptyToNull({ ...below, ...above });
}

function maxSignificance(a: Significance | null | undefined, b: Significance | null | undefined): Significance | null {
  const merged: Record<string, number> = { ...a };
  for (const [component, value] of Object.entries(b ?? {})) {
    merged[component] = Math.max(merged[component] ?? value, value);
  }
  return emptyToNull(merged);
}

function mergeDynamics(base: Members, incoming: Members, isIncomingMoreConfident: boolean): (Members & object) | null {
  const accepted = Object.entries(incoming ?? {}).filter(
    ([name, value]) =>
      isIncomingMoreConfident || isEmptyField(base?.[name]) || !(Array.isArray(value) || Array.isArray(base?.[name])),
  );
  return emptyToNull({ ...base, ...Object.fromEntries(accepted) });
}

function emptyToNull<T extends object>(members: T): T | null {
  return Object.keys(members).length === 0 ? null : members;
}
