import { type ExtractedMemory, extractedMemorySchema, isStorableText } from '@annals/contracts';
import type { z } from 'zod';
import { isJsonObject, type JsonObject } from './json-value.js';

/**
 * Where a memory does not fit; `path` begins inside the memory. `cut`: it was not finished; `unclear`: a repair may have
 * changed it, or a field stands in it twice; `not_storable`: NUL characters or lone surrogates; else zod's word.
 */
export interface MemoryIssue {
  readonly code: z.core.$ZodIssue['code'] | 'cut' | 'unclear' | 'not_storable';
  readonly path: readonly PropertyKey[];
}

/** What describes a memory without being it. */
const DESCRIPTIVE = new Set<PropertyKey>(['emotionalContext', 'significance', 'relationshipDynamics', 'rationale']);

/**
 * Fits one memory of an answer to the contract: `null` of an optional field counts as not given (strict schemas cannot
 * leave a field out), confidence is clamped to [0, 1] (ALG §5, step 2), importance rounded and clamped to 1–5, since
 * strict schemas cannot state ranges either. For the same reason a descriptive field that does not fit is left out: a
 * fact is not lost for the scale of a mood. Nothing else is changed; what does not fit then, or could not be stored as
 * UTF-8, is an issue.
 */
export function fitMemory(raw: unknown): { memory: ExtractedMemory } | { issues: readonly MemoryIssue[] } {
  if (!isJsonObject(raw)) return check(raw);
  const fields = normalize(raw);
  const first = check(fields);
  if ('memory' in first || !first.issues.every(({ path: [field] }) => DESCRIPTIVE.has(field ?? ''))) return first;
  const unfit = new Set(first.issues.map(({ path: [field] }) => field));
  return check(Object.fromEntries(Object.entries(fields).filter(([field]) => !unfit.has(field))));
}

function check(raw: unknown): { memory: ExtractedMemory } | { issues: readonly MemoryIssue[] } {
  const result = extractedMemorySchema.safeParse(raw);
  if (!result.success) return { issues: result.error.issues };
  const unstorable = listUnstorable(result.data);
  if (unstorable.length === 0) return { memory: result.data };
  return { issues: unstorable.map((field) => ({ code: 'not_storable', path: [field] })) };
}

function normalize(raw: JsonObject): JsonObject {
  const { confidence, importance, emotionalContext, significance, ...rest } = dropNulls(raw);
  return dropNulls({
    ...rest,
    confidence: Number.isFinite(confidence) ? clamp(confidence as number, 0, 1) : confidence,
    importance: Number.isFinite(importance) ? clamp(Math.round(importance as number), 1, 5) : importance,
    emotionalContext: dropNullMembers(emotionalContext),
    significance: dropNullMembers(significance),
  });
}

function dropNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));
}

function dropNullMembers(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const members = dropNulls(value);
  return Object.keys(members).length === 0 ? undefined : members;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

// The contract looks at the content; the other texts go into the same rows.
function listUnstorable(memory: ExtractedMemory): string[] {
  return Object.entries(memory).flatMap(([field, value]) => (isStorable(value) ? [] : [field]));
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member));
}
