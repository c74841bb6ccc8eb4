import type { Proposal, UserContext } from '@annals/contracts';
import type { ContextState, CurrentValue, SingleField, StoredProposal } from '@annals/domain';

interface FieldValueJson {
  readonly value: string | null;
  readonly since: string;
  readonly by: string;
}

type FieldsJson = Partial<Record<SingleField, FieldValueJson>> & { readonly goals?: readonly FieldValueJson[] };

/** A row of `user_contexts` as PostgreSQL returns it. */
export interface ContextRow {
  id: string;
  revision: number;
  fields: FieldsJson;
  updated_at: Date;
}

/** Columns of `context_proposals`. */
export const PROPOSAL_COLUMNS = `id, user_id, field, value, value_key, state, message_ids, said_at, created_at, expires_at,
  decided_at, decided_by`;

/** A row of `context_proposals` as PostgreSQL returns it. */
export interface ProposalRow {
  id: string;
  user_id: string;
  field: StoredProposal['field'];
  value: string | null;
  value_key: string;
  state: StoredProposal['state'];
  message_ids: string[];
  said_at: Date;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
}

export function toContextState({ id, revision, fields: { goals = [], ...fields } }: ContextRow): ContextState {
  return {
    id,
    revision,
    fields: Object.fromEntries(Object.entries(fields).map(([name, fieldValue]) => [name, toFieldValue(fieldValue)])),
    goals: goals.map(toFieldValue),
  };
}

export function toFieldsJson({ fields, goals }: ContextState): FieldsJson {
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
export function toUserContext(userId: string, row: ContextRow | undefined): UserContext {
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
