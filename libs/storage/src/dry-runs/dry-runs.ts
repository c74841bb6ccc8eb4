import { type ConversationTrial, INTERACTIVE_PRIORITY_BOOST_MS, type MessageRole } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { loadLastTurns, type StoredTurn } from '../batches/load-batch-conversation.js';
import { loadNamesOfUser } from '../batches/load-user-names.js';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { DryRunEntity } from '../entities/dry-run.entity.js';
import { enqueueWork } from '../work/enqueue-work.js';

/** Messages that are tried out, as they would be stored: redacted, and without those that are there. */
interface DryRunRequest {
  readonly userId: string;
  /** Null: a new conversation. */
  readonly conversationId: string | null;
  readonly agentId: string | null;
  readonly messages: readonly {
    /** Stands for the message while it is tried out. */
    readonly id: string;
    /** Its place in the request. */
    readonly place: number;
    readonly role: MessageRole;
    readonly actorId: string | null;
    readonly content: string;
    /** Epoch ms. */
    readonly saidAt: number;
  }[];
  /** Of a batch. */
  readonly maxMessages: number;
  /** Whether the answer may depend on what is stored: the caller may read it all. */
  readonly readsStored: boolean;
}

/** What a worker answers: what would be remembered, or why nothing can be said about it. */
export type DryRunAnswer =
  | { readonly ok: true; readonly trial: ConversationTrial }
  /** `until`: epoch ms from which it may succeed, if known. `code`: an error type of a model, or a reason of a deferral. */
  | { readonly ok: false; readonly code: string; readonly until: number | null };

export interface DryRunInput extends DryRunRequest {
  /** Messages of the conversation before them. */
  readonly context: readonly StoredTurn[];
  /** Names that the user has consented to. */
  readonly userNames: readonly string[];
}

interface NewDryRun {
  readonly id: string;
  readonly request: DryRunRequest;
  /** Epoch ms. */
  readonly now: number;
  readonly expiresAt: number;
  /** W3C traceparent of the request. */
  readonly trace: string | null;
}

/** Asks a worker to try messages out, before bulk work: somebody waits. */
export function addDryRun(tx: Tx, { id, request, now, expiresAt, trace }: NewDryRun, ids: IdGenerator): void {
  const availableAt = now - INTERACTIVE_PRIORITY_BOOST_MS;
  tx.atCommit(
    tx.execute('INSERT INTO dry_runs (id, request, created_at, expires_at) VALUES ($1, $2, $3, $4)', [
      id,
      JSON.stringify(request),
      new Date(now),
      new Date(expiresAt),
    ]),
    enqueueWork(tx, [{ kind: 'dry_run', subjectId: id, availableAt, trace }], { now, ids }),
  );
}

/** What a worker needs; null when nobody waits any more. */
export async function loadDryRun(
  tx: Tx,
  id: string,
  { contextMessages }: { readonly contextMessages: number },
): Promise<DryRunInput | null> {
  const [row] = await tx.query<{ request: DryRunRequest }>(
    'SELECT request FROM dry_runs WHERE id = $1 AND result IS NULL',
    [id],
  );
  if (!row) return null;
  const { request } = row;
  if (!request.readsStored) return { ...request, context: [], userNames: [] };
  const { conversationId, userId } = request;
  const [context, userNames] = await allOf([
    conversationId === null ? Promise.resolve([]) : loadLastTurns(tx, conversationId, contextMessages),
    loadNamesOfUser(tx, userId),
  ]);
  return { ...request, context, userNames };
}

/** Keeps the answer for who waits; does nothing when nobody does. The words are not needed any more. */
export async function finishDryRun(tx: Tx, id: string, answer: DryRunAnswer): Promise<void> {
  await tx.execute(`UPDATE dry_runs SET result = $2, request = '{}' WHERE id = $1`, [id, JSON.stringify(answer)]);
}

/** The answer, if there is one yet; `gone` when it was ended. */
export async function readDryRun(tx: Tx, id: string): Promise<DryRunAnswer | 'gone' | null> {
  const [row] = await tx.query<Pick<DryRunEntity, 'result'>>('SELECT result FROM dry_runs WHERE id = $1', [id]);
  return row ? (row.result as DryRunAnswer | null) : 'gone';
}

/** Deletes it with its work, unless that is running. */
export async function endDryRun(tx: Tx, id: string): Promise<void> {
  tx.atCommit(
    tx.execute('DELETE FROM dry_runs WHERE id = $1', [id]),
    tx.execute(`DELETE FROM work WHERE subject_id = $1 AND kind = 'dry_run' AND claimed_until IS NULL`, [id]),
  );
}

/** Deletes dry runs that have expired, of all tenants. `now`: epoch ms. Returns how many. */
export async function purgeDryRuns(database: Database, now: number): Promise<number> {
  return Number(await database.callScalarAcrossTenants<string>('purge_dry_runs', [new Date(now)]));
}
