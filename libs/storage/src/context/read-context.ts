import type { InsightsSwitch, ListProposalsQuery, Proposal, ProposalPage, UserContext } from '@annals/contracts';
import { type ContextState, removeHidden, type SingleField } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import { ContextProposalEntity, UserContextEntity } from '../entities/user-context.entity.js';
import { type ContextRow, PROPOSALS_SQL, type ProposalRow, toContextState } from './context-plan.js';

/** The values that a user has consented to; empty for an unknown user. */
export async function getUserContext(tx: Tx, userId: string): Promise<UserContext> {
  return toUserContext(userId, await tx.repository(UserContextEntity).findOneBy({ user_id: userId }));
}

/** A proposal of the tenant. `now`: epoch ms. */
export async function findProposal(tx: Tx, id: string, now: number): Promise<Proposal | null> {
  const row = await tx.repository(ContextProposalEntity).findOneBy({ id });
  return row ? toProposal(row, now) : null;
}

/** A user's proposals, newest first. `now`: epoch ms. Throws InvalidCursorError. */
export async function listProposals(
  tx: Tx,
  userId: string,
  { state, limit, cursor }: ListProposalsQuery,
  now: number,
): Promise<ProposalPage> {
  const after = parseCursor(cursor, ['uuid']);
  const at = new Date(now);
  const rows = await tx.query<ProposalRow>(
    `${PROPOSALS_SQL}
      WHERE user_id = $1 AND ($3::text IS NULL OR $3 =
              CASE WHEN state = 'pending' AND expires_at <= $4 THEN 'expired' ELSE state END)
        ${after ? 'AND id < $5' : ''}
      ORDER BY id DESC LIMIT $2`,
    [userId, limit + 1, state ?? null, at, ...(after ?? [])],
  );
  return buildPage(
    rows,
    limit,
    (row) => toProposal(row, now),
    (row) => [row.id],
  );
}

/** The context as returned by the API; empty when there is no row. */
function toUserContext(userId: string, row: ContextRow | null): UserContext {
  const { fields, goals } = row ? toContextState(row) : { fields: {} as ContextState['fields'], goals: [] };
  const valueOf = (field: SingleField) => show(fields[field]?.value ?? null);
  return {
    user_id: userId,
    revision: row?.revision ?? 0,
    preferred_name: valueOf('preferred_name'),
    pronouns: valueOf('pronouns'),
    city: valueOf('city'),
    language: valueOf('language'),
    tone: valueOf('tone'),
    goals: goals.flatMap(({ value }) => show(value) ?? []),
    insights: readInsightsSwitch(fields.insights?.value),
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}

function readInsightsSwitch(value: string | null | undefined): InsightsSwitch | null {
  return value === 'on' || value === 'off' ? value : null;
}

function show(value: string | null): string | null {
  return value === null ? null : removeHidden(value);
}

/** The proposal as returned by the API: `expired` after its expiry, even before that is written. `now`: epoch ms. */
function toProposal(row: ProposalRow, now: number): Proposal {
  const isExpired = row.state === 'pending' && row.expires_at.getTime() <= now;
  return {
    id: row.id,
    user_id: row.user_id,
    field: row.field,
    value: show(row.value),
    state: isExpired ? 'expired' : row.state,
    message_ids: row.message_ids,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: isExpired ? row.expires_at.toISOString() : (row.decided_at?.toISOString() ?? null),
    decided_by: isExpired ? 'time' : row.decided_by,
  };
}
