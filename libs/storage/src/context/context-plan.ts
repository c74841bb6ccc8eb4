import type { ContextBasis, ContextPlan, StoredProposal } from '@annals/domain';
import { appendHistory } from '../audit/append-history.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import {
  type ContextRow,
  PROPOSAL_COLUMNS,
  type ProposalRow,
  toContextState,
  toFieldsJson,
  toStoredProposal,
} from './context-rows.js';

/** Number of decided proposals that are loaded in addition to the pending ones: the newest. */
const MAX_DECIDED_PROPOSALS = 200;

/** A context and the proposals that a decision may touch. Take the user's lock first: `lockUser`. */
export async function loadContextBasis(tx: Tx, userId: string, nextId: () => string): Promise<ContextBasis> {
  const [[context], proposals] = await allOf([
    tx.query<ContextRow>('SELECT id, revision, fields, updated_at FROM user_contexts WHERE user_id = $1', [userId]),
    tx.query<ProposalRow>(
      `SELECT ${PROPOSAL_COLUMNS} FROM context_proposals p WHERE user_id = $1 AND state = 'pending'
       UNION ALL
       (SELECT ${PROPOSAL_COLUMNS} FROM context_proposals p WHERE user_id = $1 AND state <> 'pending'
         ORDER BY id DESC LIMIT ${MAX_DECIDED_PROPOSALS})`,
      [userId],
    ),
  ]);
  return {
    context: context ? toContextState(context) : { id: nextId(), revision: 0, fields: {}, goals: [] },
    proposals: proposals.map(toStoredProposal),
  };
}

export type ContextDependencies = Pick<WriteDependencies, 'clock' | 'ids' | 'randomBytes'>;

/** Writes the plan with its audit rows, in the transaction that holds the user's lock. */
export async function applyContextPlan(
  tx: Tx,
  { userId, actor, basis, plan }: { userId: string; actor: string; basis: ContextBasis; plan: ContextPlan },
  dependencies: ContextDependencies,
): Promise<void> {
  const now = dependencies.clock.now();
  // The audit rows reference the context, so it is inserted with the first decision.
  const context = plan.context ?? (plan.history.length > 0 && basis.context.revision === 0 ? basis.context : null);
  if (context) {
    tx.atCommit(
      tx.execute(
        `INSERT INTO user_contexts AS c (user_id, id, revision, fields, updated_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, user_id)
         DO UPDATE SET revision = excluded.revision, fields = excluded.fields, updated_at = excluded.updated_at`,
        [userId, context.id, context.revision, JSON.stringify(toFieldsJson(context)), new Date(now)],
      ),
    );
  }
  if (plan.proposals.length > 0) tx.atCommit(upsertProposals(tx, userId, plan.proposals));
  if (plan.history.length > 0) await appendHistory(tx, { userId, actor, rows: plan.history }, dependencies);
}

/** In the plan's order: ending a proposal frees its value for the next one. */
function upsertProposals(tx: Tx, userId: string, proposals: readonly StoredProposal[]): Promise<number> {
  return tx.execute(
    `INSERT INTO context_proposals (id, user_id, field, value, value_key, state, message_ids, said_at, created_at,
                                    expires_at, decided_at, decided_by)
     SELECT r.id, $2, r.field, r.value, r.value_key, r.state,
            ARRAY (SELECT jsonb_array_elements_text(r.message_ids)::uuid), r.said_at, r.created_at, r.expires_at,
            r.decided_at, r.decided_by
       FROM json_to_recordset($1) AS r (n integer, id uuid, field text, value text, value_key text, state text,
         message_ids jsonb, said_at timestamptz, created_at timestamptz, expires_at timestamptz,
         decided_at timestamptz, decided_by text)
      ORDER BY r.n
     ON CONFLICT (tenant_id, id)
     DO UPDATE SET state = excluded.state, message_ids = excluded.message_ids, decided_at = excluded.decided_at,
                   decided_by = excluded.decided_by`,
    [JSON.stringify(proposals.map(toJsonRow)), userId],
  );
}

function toJsonRow(proposal: StoredProposal, n: number) {
  return {
    n,
    id: proposal.id,
    field: proposal.field,
    value: proposal.value,
    value_key: proposal.key,
    state: proposal.state,
    message_ids: proposal.messageIds,
    said_at: new Date(proposal.saidAt),
    created_at: new Date(proposal.createdAt),
    expires_at: new Date(proposal.expiresAt),
    decided_at: proposal.decidedAt === null ? null : new Date(proposal.decidedAt),
    decided_by: proposal.decidedBy,
  };
}
