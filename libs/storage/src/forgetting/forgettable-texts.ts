import {
  createSliceMeter,
  type Forgettable,
  type ForgettableMemory,
  identifyTurnSpeaker,
  pauseInTransaction,
  runInSlices,
  SINGLE_FIELDS,
} from '@annals/domain';
import { readByCursor } from '../database/read-by-cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { AppMemoryEntity } from '../entities/app.entity.js';
import type { HistoryEntity } from '../entities/history.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { SummarySentenceEntity } from '../entities/summary.entity.js';
import type { ContextFieldsJson, ContextProposalEntity } from '../entities/user-context.entity.js';

/** Of a cursor: texts that are in memory at once. */
const PAGE_ROWS = 500;

type MemoryRow = Pick<MemoryEntity, 'id' | 'content' | 'type' | 'origin'> & {
  readonly sources: ForgettableMemory['sources'];
};
type TurnRow = Pick<MessageEntity, 'id' | 'role' | 'actor_id' | 'content' | 'echo_of'>;

/** A further text of a user that may mention something, by what it is. */
export type OtherText =
  | { readonly kind: 'summary'; readonly id: string; readonly ordinal: number; readonly text: string }
  | { readonly kind: 'app_memory' | 'proposal'; readonly id: string; readonly text: string }
  | { readonly kind: 'field'; readonly field: string; readonly text: string }
  | { readonly kind: 'goal'; readonly value: string; readonly text: string }
  /** A row of the audit history about the context; `subjectId`: what a purge of it names. */
  | { readonly kind: 'history'; readonly seq: string; readonly subjectId: string; readonly text: string };

/**
 * Everything of a user in which something may be mentioned. Each walk reads it all, in pages, since identifiers and names
 * are compared in normal forms that no index has.
 */
export function openForgettable(tx: Tx, userId: string): Forgettable<OtherText> {
  return {
    walkMemories: (visit) =>
      walk<MemoryRow>(
        tx,
        { name: 'forgettable_memories', sql: selectMemories('m.user_id = $1'), parameters: [userId] },
        (row) => visit(toMemory(row)),
      ),
    walkTurns: (visit) =>
      walk<TurnRow>(
        tx,
        {
          name: 'forgettable_turns',
          sql: `SELECT g.id, g.role, g.actor_id, g.content, g.echo_of
                  FROM conversations c JOIN messages g ON g.tenant_id = c.tenant_id AND g.conversation_id = c.id
                 WHERE c.user_id = $1 AND g.content <> '' ORDER BY c.id DESC, g.seq DESC`,
          parameters: [userId],
        },
        ({ id, role, actor_id: actorId, content, echo_of: echoOf }) =>
          visit({ id, content, speaker: identifyTurnSpeaker(userId, { role, actorId }), echoOf: echoOf ?? [] }),
      ),
    walkOthers: async (visit) => {
      for (const text of await loadSmallTexts(tx, userId)) visit(text);
      await walk<Pick<SummarySentenceEntity, 'summary_id' | 'ordinal' | 'content'>>(
        tx,
        {
          name: 'forgettable_sentences',
          sql: `SELECT s.summary_id, s.ordinal, s.content
                  FROM conversations c JOIN summary_sentences s ON s.tenant_id = c.tenant_id AND s.conversation_id = c.id
                 WHERE c.user_id = $1`,
          parameters: [userId],
        },
        ({ summary_id: id, ordinal, content }) => visit({ kind: 'summary', id, ordinal, text: content }),
      );
    },
    findMemoriesFrom: (messageIds) => loadMemoriesFrom(tx, messageIds),
  };
}

/** Visits all rows of a cursor; the event loop turns in between. */
async function walk<R extends { readonly content: string }>(
  tx: Tx,
  query: { readonly name: string; readonly sql: string; readonly parameters: readonly unknown[] },
  visit: (row: R) => void,
): Promise<void> {
  const meter = createSliceMeter();
  for await (const rows of readByCursor<R>(tx, { ...query, pageRows: PAGE_ROWS })) {
    const visitAll = function* () {
      for (const row of rows) {
        yield* meter(row.content.length);
        visit(row);
      }
    };
    await runInSlices(visitAll(), pauseInTransaction);
  }
}

/** Memories by their ids, in whatever state, the newest first. */
export async function loadMemories(tx: Tx, ids: readonly string[]): Promise<ForgettableMemory[]> {
  return (await tx.query<MemoryRow>(selectMemories('m.id = ANY ($1)'), [ids])).map(toMemory);
}

/** Memories that were taken from any of these messages, in whatever state, the newest first. */
export async function loadMemoriesFrom(tx: Tx, messageIds: readonly string[]): Promise<ForgettableMemory[]> {
  const condition = 'm.id IN (SELECT s.memory_id FROM memory_sources s WHERE s.message_id = ANY ($1))';
  return (await tx.query<MemoryRow>(selectMemories(condition), [messageIds])).map(toMemory);
}

const selectMemories = (condition: string) =>
  `SELECT m.id, m.content, m.type, m.origin,
          coalesce((SELECT json_agg(json_build_object('messageId', s.message_id, 'quote', s.quote))
                      FROM memory_sources s WHERE s.tenant_id = m.tenant_id AND s.memory_id = m.id), '[]') AS sources
     FROM memories m WHERE ${condition} ORDER BY m.id DESC`;

const toMemory = ({ origin, ...memory }: MemoryRow): ForgettableMemory => ({
  ...memory,
  isManual: origin === 'manual',
});

/** Texts of which a user has few. */
async function loadSmallTexts(tx: Tx, userId: string): Promise<OtherText[]> {
  const [appMemories, contexts, proposals, history] = await allOf([
    tx.query<Pick<AppMemoryEntity, 'id' | 'content'>>(
      `SELECT m.id, m.content FROM app_memories m
        WHERE m.id IN (SELECT s.app_memory_id FROM app_memory_sources s WHERE s.user_id = $1)`,
      [userId],
    ),
    tx.query<{ fields: ContextFieldsJson }>('SELECT fields FROM user_contexts WHERE user_id = $1', [userId]),
    tx.query<Pick<ContextProposalEntity, 'id' | 'field' | 'value'>>(
      'SELECT id, field, value FROM context_proposals WHERE user_id = $1 AND value IS NOT NULL',
      [userId],
    ),
    tx.query<Pick<HistoryEntity, 'seq'> & { content: string; subject_id: string }>(
      `SELECT seq, content, coalesce(new_ref, id) AS subject_id FROM history WHERE user_id = $1 AND event = 'CONSENT' AND content IS NOT NULL`,
      [userId],
    ),
  ]);
  return [
    ...appMemories.map(({ id, content }) => ({ kind: 'app_memory' as const, id, text: content })),
    ...contexts.flatMap(({ fields }) => listContextTexts(fields)),
    ...proposals.map(({ id, field, value }) => ({ kind: 'proposal' as const, id, text: describeValue(field, value!) })),
    ...history.map(({ seq, content, subject_id: subjectId }) => {
      const [field = '', ...value] = content.split(': ');
      return { kind: 'history' as const, seq, subjectId, text: describeValue(field, value.join(': ')) };
    }),
  ];
}

function listContextTexts({ goals = [], ...fields }: ContextFieldsJson): OtherText[] {
  return [
    ...SINGLE_FIELDS.flatMap((field) => {
      const value = fields[field]?.value ?? null;
      return value === null ? [] : [{ kind: 'field' as const, field, text: describeValue(field, value) }];
    }),
    ...goals.flatMap(({ value }) =>
      value === null ? [] : [{ kind: 'goal' as const, value, text: describeValue('goals_add', value) }],
    ),
  ];
}

/** A value of the context as the statement that it is, so that the statement takes the value with it. */
function describeValue(field: string, value: string): string {
  switch (field) {
    case 'city':
      return `The user lives in ${value}.`;
    case 'preferred_name':
      return `The user's name is ${value}. The user is called ${value}.`;
    case 'language':
      return `The user speaks ${value}.`;
    case 'goals_add':
      return `The user wants to ${value}.`;
    default:
      return `The user's ${field} is ${value}.`;
  }
}
