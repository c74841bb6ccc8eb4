import type { Proposal, UserContext } from '@annals/contracts';
import type { ContextState, CurrentValue, SingleField, StoredProposal } from '@annals/domain';
import type {
  ContextFieldsJson,
  ContextProposalEntity,
  FieldValueJson,
  UserContextEntity,
} from '../entities/user-context.entity.js';
import { columnsSql } from '../query/binder.js';

/** A row of `user_contexts` as PostgreSQL returns it. */
export type ContextRow = Pick<UserContextEntity, 'id' | 'revision' | 'fields' | 'updated_at'>;

const COLUMNS = [
  'id',
  'user_id',
  'field',
  'value',
  'value_key',
  'state',
  'message_ids',
  'said_at',
  'created_at',
  'expires_at',
  'decided_at',
  'decided_by',
] as const satisfies readonly (keyof ContextProposalEntity)[];

/** Columns of `context_proposals`, aliased `p`. */
export const PROPOSAL_COLUMNS = columnsSql('p', COLUMNS);

/** A row of `context_proposals` as PostgreSQL returns it. */
export type ProposalRow = Pick<ContextProposalEntity, (typeof COLUMNS)[number]>;

export function toContextState({ id, revision, fields: { goals = [], ...fields } }: ContextRow): ContextState {
  return {
    id,
    revision,
    fields: Object.fromEntries(Object.entries(fields).map(([name, fieldValue]) => [name, toFieldValue(fieldValue)])),
    goals: goals.map(toFieldValue),
  };
}

export function toFieldsJson({ fields, goals }: ContextState): ContextFieldsJson {
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, fieldValue]) => [name, toFieldValueJson(fieldValue)])),
    goals: goals.map(toFieldValueJson),
  };
}

export function toStoredProposal(row: ProposalRow): StoredProposal {
  return {
    id: row.id,
    field: row.field,
    value: row.value,
    key: row.value_key,
    state: row.state,
    messageIds: row.message_ids,
    saidAt: row.said_at.getTime(),
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    decidedAt: row.decided_at?.getTime() ?? null,
    decidedBy: row.decided_by,
  };
}

/** The context as returned by the API; empty when there is no row. */
export function toUserContext(userId: string, row: ContextRow | null): UserContext {
  const { fields, goals } = row ? toContextState(row) : { fields: {} as ContextState['fields'], goals: [] };
  const valueOf = (field: SingleField) => fields[field]?.value ?? null;
  return {
    user_id: userId,
    revision: row?.revision ?? 0,
    preferred_name: valueOf('preferred_name'),
    pronouns: valueOf('pronouns'),
    city: valueOf('city'),
    language: valueOf('language'),
    tone: valueOf('tone'),
    goals: goals.flatMap(({ value }) => value ?? []),
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}

/**
 * The proposal as returned by the API: after its expiry it is `expired`, even when that has not been written yet.
 * `now`: epoch ms.
 */
export function toProposal(row: ProposalRow, now: number): Proposal {
  const isExpired = row.state === 'pending' && row.expires_at.getTime() <= now;
  return {
    id: row.id,
    user_id: row.user_id,
    field: row.field,
    value: row.value,
    state: isExpired ? 'expired' : row.state,
    message_ids: row.message_ids,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: isExpired ? row.expires_at.toISOString() : (row.decided_at?.toISOString() ?? null),
    decided_by: isExpired ? 'time' : row.decided_by,
  };
}

function toFieldValue({ value, since, by }: FieldValueJson): CurrentValue {
  return { value, since: Date.parse(since), by };
}

function toFieldValueJson({ value, since, by }: CurrentValue): FieldValueJson {
  return { value, since: new Date(since).toISOString(), by };
}
