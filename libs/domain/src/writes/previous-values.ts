import type { JsonValue } from '../text/canonical-json.js';
import type { StoredMemory } from './types.js';

/** Fields by their names in history; none has text of a user (docs/reference/audit.md#hash-chain-of-the-history). */
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

/** These contain text of users; the history only records whether they were empty. */
const TEXT_FIELDS = {
  emotional_context: 'emotionalContext',
  significance: 'significance',
  relationship_dynamics: 'relationshipDynamics',
  rationale: 'rationale',
} as const satisfies Record<string, keyof StoredMemory>;

/** The values that a write changed, as they were before it. Replaced text is not included. */
export function collectPreviousValues(before: StoredMemory, after: StoredMemory): Record<string, JsonValue> {
  const previous: Record<string, JsonValue> = {};
  for (const [name, field] of Object.entries(PLAIN_FIELDS)) {
    if (before[field] !== after[field]) previous[name] = before[field];
  }
  for (const [name, field] of Object.entries(TIME_FIELDS)) {
    const time = before[field];
    if (time !== after[field]) previous[name] = time === null ? null : new Date(time).toISOString();
  }
  for (const [name, field] of Object.entries(TEXT_FIELDS)) {
    if (before[field] === null && after[field] !== null) previous[name] = null;
  }
  return previous;
}

/** The fields that restore a row to the values of `collectPreviousValues`. */
export function parsePreviousValues(previous: JsonValue | undefined): Partial<StoredMemory> {
  if (typeof previous !== 'object' || previous === null || Array.isArray(previous)) return {};
  const entries = Object.entries(previous);
  const plain = { ...PLAIN_FIELDS, ...TEXT_FIELDS } as Record<string, keyof StoredMemory>;
  const times = TIME_FIELDS as Record<string, keyof StoredMemory>;
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const time = times[name];
      if (time) return [[time, typeof value === 'string' ? Date.parse(value) : null]];
      const field = plain[name];
      return field ? [[field, value]] : [];
    }),
  ) as Partial<StoredMemory>;
}
