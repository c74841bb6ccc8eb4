import type { ExportLine, importRecordsSchema } from '@annals/contracts';
import type { z } from 'zod';

type Records = z.input<typeof importRecordsSchema>;
type Fields = Readonly<Record<string, unknown>>;

const day = (text: string) => `${text}T10:00:00.000Z`;
/** UUIDs that differ in their last digits. */
export const idOf = (number: number) => `0198a0b0-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const [THREAD, PORTO, LISBON, TEA, BOAT, UNSURE, HOW_TO] = [1, 2, 3, 4, 5, 6, 7].map(idOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

/** A person who moved: a conversation, and memories of every kind that rest on it or were written by hand. */
export const MOVED: Records = {
  source: 'annals',
  conversations: [
    {
      id: THREAD,
      thread_id: 'holidays',
      agent_id: 'planner',
      created_at: day('2024-03-01'),
      ended_at: day('2024-05-02'),
      messages: [
        {
          id: idOf(11),
          external_id: 'm1',
          role: 'user',
          content: 'I live in Lisbon. I like green tea.',
          created_at: day('2024-03-01'),
        },
        { id: idOf(12), external_id: 'm2', role: 'assistant', content: 'Noted.', created_at: day('2024-03-01') },
        {
          id: idOf(13),
          role: 'user',
          actor_id: 'ann',
          content: 'I live in Porto now. I sold my boat.',
          created_at: day('2024-05-02'),
        },
        { id: idOf(14), role: 'user', content: '', created_at: day('2024-05-02'), forgotten_at: day('2024-06-01') },
      ],
    },
  ],
  // The one that was replaced comes before its successor.
  memories: [
    {
      id: LISBON,
      content: 'The user lives in Lisbon.',
      category: 'profile',
      origin: 'extraction',
      importance: 4,
      confidence: 0.75,
      valid_from: day('2024-03-01'),
      valid_to: day('2024-05-02'),
      superseded_by: PORTO,
      recorded_at: day('2024-03-02'),
      closed_at: day('2024-05-03'),
      former_ends: [],
      provider: 'local',
      model: 'rules',
      sources: [{ message_id: idOf(11), quote: 'I live in Lisbon.' }],
    },
    {
      id: PORTO,
      content: 'The user lives in Porto.',
      category: 'profile',
      origin: 'extraction',
      pinned: true,
      emotional_context: { emotion: 'joy', intensity: 0.5 },
      valid_from: day('2024-05-02'),
      recorded_at: day('2024-05-03'),
      provider: 'local',
      model: 'rules',
      sources: [{ message_id: idOf(13), quote: 'I live in Porto now.' }],
      relations: [{ to: TEA, relation_type: 'part_of', strength: 0.5 }],
    },
    {
      id: TEA,
      content: 'The user likes green tea.',
      category: 'preferences',
      origin: 'extraction',
      valid_from: day('2024-03-01'),
      recorded_at: day('2024-03-02'),
      sources: [{ message_id: idOf(11), quote: 'I like green tea.' }],
    },
    {
      id: BOAT,
      content: 'The user owned a boat.',
      category: 'history',
      valid_from: day('2020-01-01'),
      valid_to: day('2024-05-02'),
      recorded_at: day('2024-03-02'),
      closed_at: day('2024-05-04'),
      former_ends: [{ since: day('2024-05-03'), valid_to: day('2024-05-01') }],
    },
    {
      id: UNSURE,
      content: 'The user might own a plane.',
      category: 'history',
      origin: 'extraction',
      state: 'quarantined',
      quarantine_reason: 'not_own_words',
      valid_from: day('2024-05-02'),
      recorded_at: day('2024-05-03'),
      sources: [{ message_id: idOf(13), quote: 'I sold my boat.' }],
    },
    {
      id: HOW_TO,
      content: 'How to book a trip\n1. Compare prices.\n2. Book the cheapest.',
      category: 'procedural',
      type: 'procedural',
      valid_from: day('2024-05-02'),
      recorded_at: day('2024-05-03'),
    },
  ],
};

/** What has to be the same on both sides of a move, of the lines of an export. */
export function comparable(rows: readonly ExportLine[]): unknown[] {
  return rows
    .flatMap(({ kind, data }) =>
      kind in COMPARED ? [{ kind, data: COMPARED[kind as keyof typeof COMPARED](data) }] : [],
    )
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

const without = (data: Fields, ...names: string[]) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));

const COMPARED = {
  conversation: (data: Fields) => without(data, 'user_id', 'updated_at'),
  message: (data: Fields) => without(data, 'batch_id', 'received_at'),
  memory: ({ sources, relations, ...data }: Fields) => ({
    ...without(data, 'user_id', 'updated_at', 'revision', 'cluster_participation_count', 'access'),
    sources: (sources as Fields[]).map((source) => without(source, 'user_id', 'batch_id')),
    relations: (relations as Fields[]).map((relation) => without(relation, 'id', 'user_id', 'created_at')),
  }),
};
