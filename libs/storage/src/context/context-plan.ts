import type { ContextBasis, ContextPlan, ContextState, CurrentValue, StoredProposal } from '@annals/domain';
import { appendHistory, type ChainDependencies, lockUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type {
  ContextFieldsJson,
  ContextProposalEntity,
  FieldValueJson,
  UserContextEntity,
} from '../entities/user-context.entity.js';
import { noteContextDeletions } from '../deletions/note-deletion.js';
import { columnsSql } from '../query/binder.js';

/** A row of `user_contexts` as PostgreSQL returns it. */
export type ContextRow = Pick<UserContextEntity, 'id' | 'revision' | 'fields' | 'updated_at'>;

export function toContextState({ id, revision, fields: { goals = [], ...fields } }: ContextRow): ContextState {
  return {
    id,
    revision,
    fields: Object.fromEntries(Object.entries(fields).map(([name, fieldValue]) => [name, toFieldValue(fieldValue)])),
    goals: goals.map(toFieldValue),
  };
}

function toFieldsJson({ fields, goals }: ContextState): ContextFieldsJson {
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, fieldValue]) => [name, toFieldValueJson(fieldValue)])),
    goals: goals.map(toFieldValueJson),
  };
}

const PROPOSAL_COLUMNS = [
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
export const PROPOSALS_SQL = `SELECT ${columnsSql('p', PROPOSAL_COLUMNS)} FROM context_proposals p`;

export type ProposalRow = Pick<ContextProposalEntity, (typeof PROPOSAL_COLUMNS)[number]>;

function toStoredProposal(row: ProposalRow): StoredProposal {
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

function toFieldValue({ value, since, by }: FieldValueJson): CurrentValue {
  return { value, since: Date.parse(since), by };
}

function toFieldValueJson({ value, since, by }: CurrentValue): FieldValueJson {
  return { value, since: new Date(since).toISOString(), by };
}

/** Locks the user, plans a change of their context and writes it with its audit rows. A null plan changes nothing. */
export async function changeContext<Plan extends ContextPlan | null>(
  tx: Tx,
  { userId, actor }: { userId: string; actor: string },
  plan: (basis: ContextBasis, options: { now: number; nextId: () => string }) => Plan,
  dependencies: ChainDependencies,
): Promise<Plan> {
  await lockUser(tx, userId, dependencies.clock.now());
  return changeLockedContext(tx, { userId, actor }, plan, dependencies);
}

/** The same when the transaction has locked the user. */
export async function changeLockedContext<Plan extends ContextPlan | null>(
  tx: Tx,
  { userId, actor }: { userId: string; actor: string },
  plan: (basis: ContextBasis, options: { now: number; nextId: () => string }) => Plan,
  dependencies: ChainDependencies,
): Promise<Plan> {
  const now = dependencies.clock.now();
  const nextId = () => dependencies.ids.next();
  const basis = await loadContextBasis(tx, userId, nextId);
  const planned = plan(basis, { now, nextId });
  if (planned) await applyContextPlan(tx, { userId, actor, basis, plan: planned }, dependencies);
  return planned;
}

/** Number of decided proposals that are loaded in addition to the pending ones: the newest. */
const MAX_DECIDED_PROPOSALS = 200;

/** A context and the proposals that a decision may touch. */
async function loadContextBasis(tx: Tx, userId: string, nextId: () => string): Promise<ContextBasis> {
  const [[context], proposals] = await allOf([
    tx.query<ContextRow>('SELECT id, revision, fields, updated_at FROM user_contexts WHERE user_id = $1', [userId]),
    tx.query<ProposalRow>(
      `${PROPOSALS_SQL} WHERE user_id = $1 AND state = 'pending'
       UNION ALL
       (${PROPOSALS_SQL} WHERE user_id = $1 AND state <> 'pending'
         ORDER BY id DESC LIMIT ${MAX_DECIDED_PROPOSALS})`,
      [userId],
    ),
  ]);
  return {
    context: context ? toContextState(context) : { id: nextId(), revision: 0, fields: {}, goals: [] },
    proposals: proposals.map(toStoredProposal),
  };
}

/** Writes the plan with its audit rows. */
async function applyContextPlan(
  tx: Tx,
  { userId, actor, basis, plan }: { userId: string; actor: string; basis: ContextBasis; plan: ContextPlan },
  dependencies: ChainDependencies,
): Promise<void> {
  const now = dependencies.clock.now();
  // The audit rows reference the context, so it is inserted with the first decision.
  const context = plan.context ?? (plan.history.length > 0 && basis.context.revision === 0 ? basis.context : null);
  if (context) {
    await noteContextDeletions(tx, userId, { before: basis.context, after: context }, now);
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
