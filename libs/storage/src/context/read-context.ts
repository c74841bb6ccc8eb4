import type { ListProposalsQuery, Proposal, ProposalPage, UserContext } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import { ContextProposalEntity, UserContextEntity } from '../entities/user-context.entity.js';
import { PROPOSAL_COLUMNS, type ProposalRow, toProposal, toUserContext } from './context-rows.js';

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
    `SELECT ${PROPOSAL_COLUMNS} FROM context_proposals p
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
