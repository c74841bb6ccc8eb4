import type { ImportedMemory } from '@annals/sdk';
import { isRecord, listOf, toId, toStorable, toTime } from './chat.js';
import { leftOut, type NotTaken } from './not-taken.js';

type Fields = Readonly<Record<string, unknown>>;

export interface Mem0Options {
  readonly category: string;
  /** Categories of Annals by those of mem0. */
  readonly categories: ReadonlyMap<string, string>;
  /** Time of memories that have none, RFC 3339. */
  readonly now: string;
}

/** What a memory said before, by its history: the texts in their order, each since when it was known. */
export interface Mem0Versions {
  readonly texts: readonly { readonly content: string; readonly at: string }[];
  readonly isDeleted: boolean;
}

/** Names of lists in which exports of mem0 have memories. */
export const MEM0_LISTS = ['results', 'memories'] as const;
export const MEM0_HISTORY = 'history';

/** The categories that mem0 gives memories by itself. */
const OF_MEM0 = new Map(
  Object.entries({
    personal_details: 'profile',
    professional_details: 'profile',
    health: 'profile',
    family: 'relationships',
    user_preferences: 'preferences',
    milestones: 'event',
    hobbies: 'interests',
    sports: 'interests',
    music: 'interests',
    travel: 'interests',
    food: 'interests',
    fashion: 'interests',
    entertainment: 'interests',
    technology: 'interests',
  }),
);

const MAX_LENGTH = 2_000;
const TOO_LONG = `memories of more than ${MAX_LENGTH} characters`;

/** Collects the history of memories, of which an export may have some. Earlier texts are held in memory. */
export class Mem0History {
  private readonly events = new Map<string, Fields[]>();

  /** Whether the item is of a history, which is kept. */
  add(item: unknown): boolean {
    if (!isRecord(item) || typeof item['memory_id'] !== 'string' || typeof item['event'] !== 'string') return false;
    const { memory_id: id } = item as { memory_id: string };
    this.events.set(id, [...(this.events.get(id) ?? []), item]);
    return true;
  }

  versionsOf(id: string): Mem0Versions {
    const timeOf = (event: Fields) => toTime(event['created_at'] ?? event['updated_at']) ?? '';
    const events = (this.events.get(id) ?? []).toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
    const texts = events.flatMap((event) => {
      const content = event['new_memory'];
      const isText = event['event'] !== 'DELETE' && typeof content === 'string' && timeOf(event) !== '';
      return isText ? [{ content, at: timeOf(event) }] : [];
    });
    return { texts, isDeleted: events.at(-1)?.['event'] === 'DELETE' };
  }
}

export interface Mem0Read {
  /** The memory behind its earlier texts. */
  readonly memories: readonly ImportedMemory[];
  readonly notTaken: readonly NotTaken[];
}

/** The user of mem0 that a memory belongs to; null for an agent's. */
export function userOfMem0(item: unknown): string | null {
  return isRecord(item) && typeof item['user_id'] === 'string' ? item['user_id'] : null;
}

/** A memory of mem0, with its earlier texts as superseded ones. Null for what is no memory. */
export function readMem0(item: unknown, { texts, isDeleted }: Mem0Versions, options: Mem0Options): Mem0Read | null {
  if (!isRecord(item)) return null;
  const said = [item['memory'], item['text'], item['data']].find((each) => typeof each === 'string');
  const id = toId(item['id']);
  if (typeof said !== 'string' || id === null) return null;
  const refuse = (reason: string): Mem0Read => ({ memories: [], notTaken: [leftOut('memory', id, reason)] });
  const content = toStorable(said).trim();
  if (isDeleted) return refuse('memories that were deleted in mem0');
  if (content === '') return refuse('memories without a text');
  if (isTooLong({ content })) return refuse(TOO_LONG);
  const category = findCategory(item, options);
  const createdAt = toTime(item['created_at']) ?? toTime(item['updated_at']) ?? options.now;
  const earlier = texts.filter((version) => version.content.trim() !== content);
  const changedAt = texts.findLast((version) => version.content.trim() === content)?.at;
  const since = earlier.length > 0 ? (changedAt ?? toTime(item['updated_at']) ?? createdAt) : createdAt;
  const base = { category, origin: 'manual', confidence: 1, importance: 3 } as const;
  const present: ImportedMemory = {
    ...base,
    id,
    content,
    valid_from: since,
    recorded_at: later(since, item['updated_at']),
  };
  const versions = earlier.map(({ content: text, at }, index): Version => ({
    id: versionId(id, index),
    content: toStorable(text).trim(),
    at,
    end: latest(at, earlier[index + 1]?.at ?? since),
  }));
  const taken = versions.filter((version) => version.content !== '' && !isTooLong(version));
  const former = taken.map(({ id: name, content: text, at, end }, index): ImportedMemory => ({
    ...base,
    id: name,
    content: text,
    valid_from: at,
    valid_to: end,
    recorded_at: at,
    closed_at: end,
    superseded_by: taken[index + 1]?.id ?? id,
  }));
  const notTaken = [
    ...listExtras(item).map((reason) => leftOut('memory', id, reason)),
    ...versions.filter(isTooLong).map((version) => leftOut('memory', version.id, TOO_LONG)),
  ];
  return { memories: [...former, present], notTaken };
}

/** An earlier text. */
interface Version {
  readonly id: string;
  readonly content: string;
  readonly at: string;
  readonly end: string;
}

const isTooLong = ({ content }: Pick<Version, 'content'>) => content.length > MAX_LENGTH;

/** An id of a text that mem0 gives none. */
const versionId = (id: string, index: number) => `${id}@${index + 1}`;

const latest = (a: string, b: string) => (a > b ? a : b);

/** A text was known when it was last changed. */
function later(since: string, updatedAt: unknown): string {
  return latest(since, toTime(updatedAt) ?? since);
}

function findCategory(item: Fields, { category, categories }: Mem0Options): string {
  const metadata = isRecord(item['metadata']) ? item['metadata'] : {};
  const names = [...listOf(item['categories']), metadata['category']].filter((name) => typeof name === 'string');
  for (const name of names) {
    const found = categories.get(name) ?? OF_MEM0.get(name);
    if (found !== undefined) return found;
  }
  return category;
}

function listExtras(item: Fields): string[] {
  const metadata = isRecord(item['metadata']) ? item['metadata'] : {};
  return Object.keys(metadata).some((name) => name !== 'category') ? ['metadata of memories'] : [];
}
