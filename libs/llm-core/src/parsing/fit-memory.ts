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

/**
 * Fits one memory of an answer to the contract: `null` of an optional field counts as not given (strict schemas cannot
 * leave a field out), confidence is clamped to [0, 1] (ALG §5, step 2), importance rounded and clamped to 1–5, since
 * strict schemas cannot state ranges either. Nothing else is changed; what does not fit then, or could not be stored as
 * UTF-8, is an issue.
 */
export function fitMemory(raw: unknown): { memory: ExtractedMemory } | { issues: readonly MemoryIssue[] } {
  const result = extractedMemorySchema.safeParse(isJsonObject(raw) ? normalize(raw) : raw);
  if (!result.success) return { issues: result.error.issues };
  const unstorable = findUnstorable(result.data);
  return unstorable === null ? { memory: result.data } : { issues: [{ code: 'not_storable', path: [unstorable] }] };
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
function findUnstorable(memory: ExtractedMemory): string | null {
  const [field] = Object.entries(memory).find(([, value]) => !isStorable(value)) ?? [null];
  return field;
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member));
}
