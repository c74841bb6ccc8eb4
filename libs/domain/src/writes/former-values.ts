import type { JsonValue } from '../encoding/index.js';
import type { StoredMemory } from './types.js';

/** A memory's fields by their names in history, as `from` holds them. None of them are people's words (decision 42). */
const PLAIN_FIELDS = {
  category: 'category',
  importance: 'importance',
  pinned: 'pinned',
  confidence: 'confidence',
  state: 'state',
  provider: 'provider',
  model: 'model',
  quarantine_reason: 'quarantineReason',
  superseded_by: 'supersededBy',
  deleted_by: 'deletedBy',
} as const satisfies Record<string, keyof StoredMemory>;

const TIME_FIELDS = {
  valid_from: 'validFrom',
  valid_to: 'validTo',
  deleted_at: 'deletedAt',
  purge_at: 'purgeAt',
} as const satisfies Record<string, keyof StoredMemory>;

/** What people said lies in these; history remembers only that they were empty. */
const WORDED_FIELDS = {
  emotional_context: 'emotionalContext',
  significance: 'significance',
  relationship_dynamics: 'relationshipDynamics',
  rationale: 'rationale',
} as const satisfies Record<string, keyof StoredMemory>;

/** The values that a write changed, as they were before it. Words that were replaced are not among them. */
export function describeFormer(before: StoredMemory, after: StoredMemory): Record<string, JsonValue> {
  const former: Record<string, JsonValue> = {};
  for (const [name, field] of Object.entries(PLAIN_FIELDS)) {
    if (before[field] !== after[field]) former[name] = before[field];
  }
  for (const [name, field] of Object.entries(TIME_FIELDS)) {
    const time = before[field];
    if (time !== after[field]) former[name] = time === null ? null : new Date(time).toISOString();
  }
  for (const [name, field] of Object.entries(WORDED_FIELDS)) {
    if (before[field] === null && after[field] !== null) former[name] = null;
  }
  return former;
}

/** The fields that take a row back to what `describeFormer` told of it. */
export function readFormer(former: JsonValue | undefined): Partial<StoredMemory> {
  if (typeof former !== 'object' || former === null || Array.isArray(former)) return {};
  const told = Object.entries(former);
  const plain = { ...PLAIN_FIELDS, ...WORDED_FIELDS } as Record<string, keyof StoredMemory>;
  const times = TIME_FIELDS as Record<string, keyof StoredMemory>;
  return Object.fromEntries(
    told.flatMap(([name, value]) => {
      const time = times[name];
      if (time) return [[time, typeof value === 'string' ? Date.parse(value) : null]];
      const field = plain[name];
      return field ? [[field, value]] : [];
    }),
  ) as Partial<StoredMemory>;
}
