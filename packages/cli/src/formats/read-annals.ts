import type { ImportedContext, ImportedConversation, ImportedMemory, ImportedMessage } from '@annals/sdk';
import { isRecord, listOf } from './chat.js';
import { leftOut, type NotTaken } from './not-taken.js';

type Fields = Readonly<Record<string, unknown>>;
type ImportRelation = NonNullable<ImportedMemory['relations']>[number];
type ImportSource = NonNullable<ImportedMemory['sources']>[number];
type FormerEnd = NonNullable<ImportedMemory['former_ends']>[number];

/** The version of the lines that this program understands. */
export const EXPORT_SCHEMA_VERSION = 1;

/** What one line of an export of Annals is for an import. */
export type AnnalsLine =
  | { readonly is: 'manifest'; readonly version: number }
  | { readonly is: 'end'; readonly counts: Readonly<Record<string, number>> }
  | { readonly is: 'user_context'; readonly context: ImportedContext }
  | { readonly is: 'conversation'; readonly id: string; readonly conversation: ImportedConversation }
  | { readonly is: 'message'; readonly conversationId: string; readonly message: ImportedMessage }
  | { readonly is: 'memory'; readonly memory: ImportedMemory }
  | { readonly is: 'left_out'; readonly what: NotTaken }
  | { readonly is: 'unknown' };

/** Records of the installation that they come from, or that are made again from what is imported. */
const LEFT_OUT = 'lines of the kind';

export function readAnnalsLine(line: unknown): AnnalsLine {
  if (!isRecord(line) || typeof line['kind'] !== 'string') return { is: 'unknown' };
  const { kind } = line;
  if (kind === 'manifest') return { is: 'manifest', version: Number(line['schema_version']) };
  if (kind === 'end') return { is: 'end', counts: (line['counts'] ?? {}) as Record<string, number> };
  const data = line['data'];
  if (!isRecord(data)) return { is: 'unknown' };
  if (kind === 'context') return { is: 'user_context', context: toContext(data) };
  if (kind === 'conversation')
    return { is: 'conversation', id: String(data['id']), conversation: toConversation(data) };
  if (kind === 'message') {
    return { is: 'message', conversationId: String(data['conversation_id']), message: toMessage(data) };
  }
  if (kind === 'memory') return readMemory(data);
  return {
    is: 'left_out',
    what: leftOut('line', typeof data['id'] === 'string' ? data['id'] : kind, `${LEFT_OUT} ${kind}`),
  };
}

function readMemory(data: Fields): AnnalsLine {
  const id = String(data['id']);
  if (data['type'] === 'insight')
    return { is: 'left_out', what: leftOut('memory', id, 'insights, inferred again with later conversations') };
  if (data['state'] === 'soft_deleted') return { is: 'left_out', what: leftOut('memory', id, 'deleted memories') };
  return { is: 'memory', memory: toMemory(id, data) };
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
const objectOrNull = (value: unknown) => (isRecord(value) ? value : null);

/** Fields with one value. */
const SINGLE_FIELDS = ['preferred_name', 'pronouns', 'city', 'language', 'tone', 'insights'] as const;

function toContext({ fields }: Fields): ImportedContext {
  if (!isRecord(fields)) return {};
  const toStated = ({ value, since }: Fields) => ({ value: textOrNull(value), since: String(since) });
  const stated = SINGLE_FIELDS.flatMap((name) => {
    const field = fields[name];
    return isRecord(field) ? [[name, toStated(field)] as const] : [];
  });
  const goals = listOf(fields['goals']).filter(isRecord).map(toStated);
  return { ...Object.fromEntries(stated), goals } as ImportedContext;
}

function toConversation(data: Fields): ImportedConversation {
  return {
    id: String(data['id']),
    thread_id: String(data['thread_id']),
    agent_id: textOrNull(data['agent_id']),
    run_id: textOrNull(data['run_id']),
    app_id: textOrNull(data['app_id']),
    kind: (data['kind'] ?? 'conversation') as NonNullable<ImportedConversation['kind']>,
    created_at: String(data['created_at']),
    ended_at: textOrNull(data['ended_at']),
    messages: [],
  };
}

function toMessage(data: Fields): ImportedMessage {
  return {
    id: String(data['id']),
    external_id: textOrNull(data['external_id']),
    role: data['role'] as ImportedMessage['role'],
    actor_id: textOrNull(data['actor_id']),
    agent_id: textOrNull(data['agent_id']),
    run_id: textOrNull(data['run_id']),
    app_id: textOrNull(data['app_id']),
    content: String(data['content']),
    created_at: String(data['said_at']),
    ...(typeof data['received_at'] === 'string' ? { received_at: data['received_at'] } : {}),
    hidden_at: textOrNull(data['hidden_at']),
    evicted_at: textOrNull(data['evicted_at']),
    forgotten_at: textOrNull(data['forgotten_at']),
  };
}

function toMemory(id: string, data: Fields): ImportedMemory {
  return {
    id,
    content: String(data['content']),
    category: String(data['category']),
    type: data['type'] as NonNullable<ImportedMemory['type']>,
    state: data['state'] as NonNullable<ImportedMemory['state']>,
    origin: data['origin'] as NonNullable<ImportedMemory['origin']>,
    importance: Number(data['importance']),
    confidence: Number(data['confidence']),
    pinned: data['pinned'] === true,
    valid_from: String(data['valid_from']),
    valid_to: textOrNull(data['valid_to']),
    superseded_by: textOrNull(data['superseded_by']),
    recorded_at: String(data['recorded_at']),
    closed_at: textOrNull(data['closed_at']),
    former_ends: listOf(data['former_ends']).filter(isRecord).map(toFormerEnd),
    quarantine_reason: data['state'] === 'quarantined' ? textOrNull(data['quarantine_reason']) : null,
    emotional_context: objectOrNull(data['emotional_context']) as NonNullable<ImportedMemory['emotional_context']>,
    significance: objectOrNull(data['significance']) as ImportedMemory['significance'] & object,
    relationship_dynamics: objectOrNull(data['relationship_dynamics']),
    rationale: textOrNull(data['rationale']),
    provider: textOrNull(data['provider']),
    model: textOrNull(data['model']),
    cost_micro_usd: Number(data['cost_micro_usd'] ?? 0),
    sources: listOf(data['sources']).filter(isRecord).map(toSource),
    relations: listOf(data['relations']).filter(isRecord).map(toRelation),
  };
}

/** Times of former ends are numbers there, epoch ms. */
function toFormerEnd({ since, validTo }: Fields): FormerEnd {
  return { since: toInstant(since), valid_to: validTo === null || validTo === undefined ? null : toInstant(validTo) };
}

/** What is no time stays as it is, for the server to name. */
function toInstant(epochMs: unknown): string {
  const time = new Date(typeof epochMs === 'number' ? epochMs : Number.NaN);
  return Number.isNaN(time.getTime()) ? String(epochMs) : time.toISOString();
}

function toSource({ message_id: messageId, quote }: Fields): ImportSource {
  return { message_id: String(messageId), quote: String(quote) };
}

function toRelation({ to_id: to, relation_type: type, strength }: Fields): ImportRelation {
  return { to: String(to), relation_type: type as ImportRelation['relation_type'], strength: Number(strength) };
}
