import type { ContextBasis } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import {
  type ContextRow,
  PROPOSAL_COLUMNS,
  type ProposalRow,
  toContextState,
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
