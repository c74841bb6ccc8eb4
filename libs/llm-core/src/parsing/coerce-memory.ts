import {
  type ExtractedMemory,
  extractedMemorySchema,
  extractionResponseSchema,
  isStorableText,
} from '@annals/contracts';
import type { z } from 'zod';
import { isJsonObject, type JsonObject } from './json-tree.js';

/**
 * A mismatch between a memory and the contract; `path` is relative to the memory. `cut`: the memory was truncated;
 * `unclear`: a JSON repair may have changed it, or it has a duplicate field; `not_storable`: NUL characters or lone
 * surrogates; otherwise the issue code of zod.
 */
export interface MemoryIssue {
  readonly code: z.core.$ZodIssue['code'] | 'cut' | 'unclear' | 'not_storable';
  readonly path: readonly PropertyKey[];
}

/** Dropped when invalid. Not `valid_to`: without it, a statement that has ended would count as still true. */
const DROPPABLE_FIELDS = new Set<PropertyKey>([
  'valid_from',
  'relations',
  'emotionalContext',
  'significance',
  'relationshipDynamics',
  'rationale',
]);

/** An ISO 8601 date or local time, which models return although a time in UTC is requested. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?$/;
const NUMBER = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?\s*$/;

/**
 * Coerces one memory of an answer to the contract: `null` of an optional field counts as absent (strict schemas cannot
 * omit a field), confidence is clamped to [0, 1] (docs/reference/streaming-and-repair.md#fields-that-do-not-fit),
 * importance is rounded and clamped to 1–5, because strict schemas cannot express ranges. A number in quotes is
 * converted to a number, a date to its first moment in UTC. Other invalid fields are dropped if they are dispensable,
 * so that a fact is not lost because of the scale of a mood. Nothing else is changed; remaining mismatches, and text
 * that could not be stored as UTF-8, are returned as issues.
 */
export function coerceMemory(raw: unknown): { memory: ExtractedMemory } | { issues: readonly MemoryIssue[] } {
  if (!isJsonObject(raw)) return check(raw);
  const fields = normalize(raw);
  const first = check(fields);
  if ('memory' in first || !first.issues.every(({ path: [field] }) => DROPPABLE_FIELDS.has(field ?? ''))) return first;
  const invalidFields = new Set(first.issues.map(({ path: [field] }) => field));
  return check(Object.fromEntries(Object.entries(fields).filter(([field]) => !invalidFields.has(field))));
}

function check(raw: unknown): { memory: ExtractedMemory } | { issues: readonly MemoryIssue[] } {
  const result = extractedMemorySchema.safeParse(raw);
  if (!result.success) return { issues: result.error.issues };
  const unstorable = listUnstorable(result.data);
  if (unstorable.length === 0) return { memory: result.data };
  return { issues: unstorable.map((field) => ({ code: 'not_storable', path: [field] })) };
}

function normalize(raw: JsonObject): JsonObject {
  const { confidence, importance, valid_from, valid_to, emotionalContext, significance, ...rest } = dropNulls(raw);
  return dropNulls({
    ...rest,
    confidence: mapNumber(confidence, (score) => clamp(score, 0, 1)),
    importance: mapNumber(importance, (level) => clamp(Math.round(level), 1, 5)),
    valid_from: normalizeInstant(valid_from),
    valid_to: normalizeInstant(valid_to),
    emotionalContext: dropNullMembers(emotionalContext),
    significance: dropNullMembers(significance),
  });
}

function mapNumber(value: unknown, map: (number: number) => number): unknown {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  return Number.isFinite(number) ? map(number as number) : value;
}

function normalizeInstant(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return undefined;
  if (DAY.test(text)) return `${text}T00:00:00Z`;
  return LOCAL_TIME.test(text) ? `${text}Z` : value;
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

// The contract checks only the content; the other texts are stored in the same rows.
function listUnstorable(memory: ExtractedMemory): string[] {
  return Object.entries(memory).flatMap(([field, value]) => (isStorable(value) ? [] : [field]));
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member));
}

const MAX_LISTED_ISSUES = 3;

/** Describes issues for a correction: code and path of the first three. Never quotes the answer. */
export function describeIssues(issues: readonly MemoryIssue[]): string {
  const named = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => `${issue.code} at ${describePath(issue.path)}`);
  const more = issues.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

// Keys of records (emotionalContext and the like) are chosen by the model, so only array indexes and keys of the
// contract are shown.
function describePath(path: readonly PropertyKey[]): string {
  const parts = path.slice(0, 3).map((key) => (isPlainKey(key) ? String(key) : '?'));
  return parts.length === 0 ? 'the top' : parts.join('.');
}

const KNOWN_KEYS = new Set([
  'schemaVersion',
  'memories',
  ...Object.keys(extractionResponseSchema.shape.memories.element.shape),
]);

function isPlainKey(key: PropertyKey): boolean {
  return typeof key === 'number' || (typeof key === 'string' && KNOWN_KEYS.has(key));
}
