import { type Forgettable, type ForgettableMemory, identifyTurnSpeaker, SINGLE_FIELDS } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { AppMemoryEntity } from '../entities/app.entity.js';
import type { HistoryEntity } from '../entities/history.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { SummarySentenceEntity } from '../entities/summary.entity.js';
import type { ContextFieldsJson, ContextProposalEntity } from '../entities/user-context.entity.js';

type MemoryRow = Pick<MemoryEntity, 'id' | 'content' | 'type' | 'origin' | 'category'> & {
  readonly sources: ForgettableMemory['sources'];
};
type TurnRow = Pick<MessageEntity, 'id' | 'conversation_id' | 'role' | 'actor_id' | 'content' | 'echo_of'>;

/** A further text of a user that may mention something, by what it is. */
export type OtherText =
  | { readonly kind: 'summary'; readonly id: string; readonly ordinal: number; readonly text: string }
  | { readonly kind: 'app_memory' | 'proposal'; readonly id: string; readonly text: string }
  | { readonly kind: 'field'; readonly field: string; readonly text: string }
  | { readonly kind: 'goal'; readonly value: string; readonly text: string }
  /** A row of the audit history about the context; `subjectId`: what a purge of it names. */
  | { readonly kind: 'history'; readonly seq: string; readonly subjectId: string; readonly text: string };

/** Everything of a user in which something may be mentioned, as it is stored. */
export interface StoredTexts extends Forgettable {
  readonly memories: readonly (ForgettableMemory & Pick<MemoryEntity, 'category' | 'type'>)[];
  readonly conversationOf: ReadonlyMap<string, string>;
  /** By their keys in `others`. */
  readonly byKey: ReadonlyMap<string, OtherText>;
}

/** One round trip. Reads everything, since identifiers and names are compared in normal forms that no index has. */
export async function loadForgettable(tx: Tx, userId: string): Promise<StoredTexts> {
  const [memories, turns, sentences, appMemories, contexts, proposals, history] = await allOf([
    loadMemories(tx, 'm.user_id = $1', userId),
    tx.query<TurnRow>(
      `SELECT g.id, g.conversation_id, g.role, g.actor_id, g.content, g.echo_of
         FROM conversations c JOIN messages g ON g.tenant_id = c.tenant_id AND g.conversation_id = c.id
        WHERE c.user_id = $1 AND g.content <> '' ORDER BY g.id DESC`,
      [userId],
    ),
    tx.query<Pick<SummarySentenceEntity, 'summary_id' | 'ordinal' | 'content'>>(
      `SELECT s.summary_id, s.ordinal, s.content
         FROM conversations c JOIN summary_sentences s ON s.tenant_id = c.tenant_id AND s.conversation_id = c.id
        WHERE c.user_id = $1`,
      [userId],
    ),
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
  const others: OtherText[] = [
    ...sentences.map((row) => ({
      kind: 'summary' as const,
      id: row.summary_id,
      ordinal: row.ordinal,
      text: row.content,
    })),
    ...appMemories.map(({ id, content }) => ({ kind: 'app_memory' as const, id, text: content })),
    ...contexts.flatMap(({ fields }) => listContextTexts(fields)),
    ...proposals.map(({ id, field, value }) => ({ kind: 'proposal' as const, id, text: describeValue(field, value!) })),
    ...history.map(({ seq, content, subject_id: subjectId }) => {
      const [field = '', ...value] = content.split(': ');
      return { kind: 'history' as const, seq, subjectId, text: describeValue(field, value.join(': ')) };
    }),
  ];
  const byKey = new Map(others.map((other, index) => [String(index), other]));
  return {
    memories,
    turns: turns.map(({ id, role, actor_id: actorId, content, echo_of: echoOf }) => ({
      id,
      content,
      speaker: identifyTurnSpeaker(userId, { role, actorId }),
      echoOf: echoOf ?? [],
    })),
    others: [...byKey].map(([key, { text }]) => ({ key, text })),
    conversationOf: new Map(turns.map((turn) => [turn.id, turn.conversation_id])),
    byKey,
  };
}

/** Memories `m` in whatever state, the newest first. */
export async function loadMemories(
  tx: Tx,
  condition: string,
  parameter: string | readonly string[],
): Promise<StoredTexts['memories']> {
  const rows = await tx.query<MemoryRow>(
    `SELECT m.id, m.content, m.type, m.origin, m.category,
            coalesce((SELECT json_agg(json_build_object('messageId', s.message_id, 'quote', s.quote))
                        FROM memory_sources s WHERE s.tenant_id = m.tenant_id AND s.memory_id = m.id), '[]') AS sources
       FROM memories m WHERE ${condition} ORDER BY m.id DESC`,
    [parameter],
  );
  return rows.map(({ origin, ...memory }) => ({ ...memory, isManual: origin === 'manual' }));
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
