import {
  attachStates,
  type ChangeResult,
  ECHOES_VERSION,
  findNextSlot,
  type HistoryContext,
  isCurrent,
  listWriteEvents,
  type MemoryChange,
  type PlannedLink,
  type PlannedUnlink,
  planWrites,
  type StoredMemory,
  type WritePlan,
  namedOwner,
  scopeOfOwner,
} from '@annals/domain';
import {
  type ChainDependencies,
  chainRows,
  type ExistingUser,
  insertHistory,
  type LockedUser,
  lockExistingUser,
  lockUser,
} from '../audit/user-chain.js';
import { defineSet } from '../database/set-statement.js';
import { allOf, type Tx } from '../database/transaction.js';
import { noteForgottenWords } from '../deletions/note-deletion.js';
import { type EchoesOfPlan, findEchoesOfPlan } from '../echoes/echoes-of-plan.js';
import { loadOverMemories, noteEchoes } from '../echoes/note-echoes.js';
import { findToldAnew } from '../echoes/told-anew.js';
import { insertEvents } from '../events/insert-events.js';
import { indexMemories } from '../lexical/posting-statements.js';
import { removeUnits } from '../lexical/remove-units.js';
import { deleteLinks, describeUnlink, draftUnlink } from '../relations/delete-links.js';
import { type GroundChange, planSettlement } from '../insights/settle-insights.js';
import { insertLinks } from '../relations/insert-links.js';
import {
  type AppliedBatch,
  checkBatch,
  countOutcomes,
  failErased,
  finishBatch,
  lockBatch,
  type WriteCounts,
} from './applied-batch.js';
import { compareStatements, type StatementComparison } from './compare-statements.js';
import { type ContentEmbedding, copyEmbeddings, insertEmbeddings } from './embeddings.js';
import { withdrawHiddenAppMemories } from '../app-memories/withdraw-app-memories.js';
import { findRetoldConversations, retellConversations } from '../summaries/retell-conversations.js';
import { enqueueWork, type WorkRequest } from '../work/enqueue-work.js';
import { loadRows } from './load-rows.js';
import { copySources, insertMemories, insertSources, purgeMemoryRows, updateMemories } from './memory-statements.js';
import { insertChanges } from './record-statements.js';

/** All changes of one write transaction for one user. */
export interface MemoryWriteCommand {
  readonly userId: string;
  /** Actor for the audit history: `extraction`, `key:<id>`, `person`, a worker's name. */
  readonly actor: string;
  /** Node for the operational log (docs/reference/audit.md#nodes-of-events): `hotpath`, `api`, `worker`. */
  readonly node: string;
  /** Thread for the operational log, unless it is the batch's. */
  readonly threadId?: string | null;
  readonly changes: readonly MemoryChange[];
  readonly links?: readonly PlannedLink[];
  /** Relations that end. */
  readonly unlinks?: readonly PlannedUnlink[];
  /** How new statements are compared with memories near them, before they are planned; absent: not at all. */
  readonly comparison?: StatementComparison;
  /**
   * Vectors of new contents, by content. Those without one are found by their words only until work of kind `vectors`,
   * which the same transaction asks for, has made it.
   */
  readonly embeddings?: ReadonlyMap<string, ContentEmbedding>;
  readonly batch?: AppliedBatch;
  /** W3C traceparent, for the work that the write causes. */
  readonly trace?: string | null;
  /** Changes nothing but memories that are stored already: for a user without a row, nothing is written (`lost`). */
  readonly existingUserOnly?: boolean;
  /** The write of a run of consolidation: what it leaves is what the next one would see, so it asks for none. */
  readonly isOwnWork?: boolean;
}

/**
 * `applied`: written. Otherwise nothing was: the batch was applied before, another worker holds it, its user was erased
 * after it had been accepted (docs/reference/writes.md#a-batch-is-applied-once,
 * docs/reference/writes.md#lock-the-users-row-first, docs/reference/batches.md#leases-and-fences), or pairs are open
 * that a model has to decide about first (`undecided`).
 */
export type MemoryWriteResult =
  | {
      readonly outcome: 'applied';
      readonly results: readonly ChangeResult[];
      readonly counts: WriteCounts;
      /** Every memory that was inserted or changed, as it is now: also those that a change had an effect on. */
      readonly written: readonly WrittenMemory[];
      /** The requested relations that were inserted. */
      readonly links: WritePlan['links'];
      /** Insights that fell with what they rest on, or returned with it. */
      readonly settled: readonly WrittenMemory[];
    }
  | { readonly outcome: 'already_applied' | 'lost' | 'erased' | 'undecided' };

type WrittenMemory = Pick<StoredMemory, 'id' | 'category' | 'revision'> & { readonly isDeleted: boolean };

export interface WriteDependencies extends ChainDependencies {
  /** Time in ms for which a deleted memory can be restored; default PURGE_AFTER_MS. */
  readonly purgeAfterMs?: number;
}

/**
 * The one write path (docs/reference/writes.md#one-write-path) for every change of a memory. Locks the user's row,
 * compares new statements with the memories near them, plans on the stored rows, and writes memories, sources, vectors,
 * index terms, links, audit history, change log, operational log and the batch's completion in the caller's transaction.
 * Three round trips, for any number of memories, one more when neighbours have to be read, up to three for the turns
 * that repeat what ends, one for insights that rest on what ends or returns, and one for app memories when messages are
 * hidden or shown again (two more when any is withdrawn).
 */
export async function writeMemories(
  tx: Tx,
  command: MemoryWriteCommand,
  dependencies: WriteDependencies,
): Promise<MemoryWriteResult> {
  const result = await writeChanges(tx, command, dependencies);
  if (result.outcome !== 'applied') return result;
  const { moved, ...written } = result;
  return { ...written, settled: await settleInsights(tx, command, { memoryIds: moved }, dependencies) };
}

type Applied = Extract<MemoryWriteResult, { outcome: 'applied' }>;

/** `moved`: the stored memories that were ended, deleted or made current again. */
async function writeChanges(
  tx: Tx,
  command: MemoryWriteCommand,
  dependencies: WriteDependencies,
): Promise<(Omit<Applied, 'settled'> & { readonly moved: string[] }) | Exclude<MemoryWriteResult, Applied>> {
  const now = dependencies.clock.now();
  // A batch has a user as long as they are not erased: its messages inserted them.
  const isOfExistingUser = command.batch !== undefined || command.existingUserOnly === true;
  const [{ user, erasedAt }, batch] = await allOf([
    isOfExistingUser ? lockExistingUser(tx, command.userId) : lockUserAsKnown(tx, command.userId, now),
    command.batch ? lockBatch(tx, command.batch.id) : Promise.resolve(null),
  ]);
  if (command.batch) {
    const refusal = checkBatch(command.batch, batch, erasedAt);
    if (refusal === 'erased') await failErased(tx, command.batch, now);
    if (refusal) return { outcome: refusal };
  }
  if (!user) return { outcome: 'lost' };
  const compared = await compareStatements(tx, command.userId, command, command.comparison, user);
  if (!compared) return { outcome: 'undecided' };
  const { changes, links, similarity } = compared;
  const [{ stored, ...loaded }, over] = await allOf([
    loadRows(tx, command.userId, changes, links),
    changes.some(mayAdd) ? loadOverMemories(tx, command.userId) : Promise.resolve([]),
  ]);
  const plan = planWrites(stored, changes, links, {
    now,
    ...loaded,
    nextId: () => dependencies.ids.next(),
    ...(dependencies.purgeAfterMs === undefined ? {} : { purgeAfterMs: dependencies.purgeAfterMs }),
  });
  const counts = countOutcomes(plan.results);
  const { node, userId, threadId = null } = command;
  const events = listWriteEvents({ node, isBatch: batch !== null, changes, similarity, stored, plan });
  const { echoes, history } = await findEchoesOfPlan(tx, userId, plan);
  const anew = await findToldAnew(over, plan);
  const unlinked = command.unlinks?.length ? await deleteLinks(tx, command.unlinks) : [];
  const retold = await findRetoldConversations(tx, userId, { ...plan, echoes });
  const whole = {
    ...plan,
    links: [...plan.links, ...anew.links],
    // First, so that the last row of each memory is that of its change.
    history: [...anew.history, ...unlinked.map(draftUnlink), ...history],
    echoes,
  };
  await applyPlan(tx, command, { plan: whole, counts }, user, now, dependencies);
  await noteForgottenWords(tx, userId, { stored, purges: plan.purges }, now);
  const request = { trace: command.trace ?? null, now, ids: dependencies.ids };
  tx.atCommit(...retellConversations(tx, retold, request));
  await withdrawHiddenAppMemories(tx, { conversationIds: retold.all, isRestored: retold.isRestored }, request);
  const done = [...events, ...unlinked.map((link) => describeUnlink(node, link))];
  if (done.length > 0) {
    const about = { userId: namedOwner(userId), threadId: batch ? batch.thread_id : threadId };
    tx.atCommit(insertEvents(tx, about, done, () => dependencies.ids.next(), now));
  }
  const written = [...plan.inserts, ...plan.updates].map(({ id, category, revision, state }) => {
    return { id, category, revision, isDeleted: state === 'soft_deleted' };
  });
  const { results, links: linked } = plan;
  return { outcome: 'applied', results, counts, written, links: linked, moved: listMoved(stored, plan) };
}

/**
 * Deletes the insights that have lost all of their ground, and restores those that have some again
 * (docs/reference/insights.md#insights-fall-with-their-ground). Call it under the user's lock, behind the statements that
 * change memories and before those that delete messages.
 */
export async function settleInsights(
  tx: Tx,
  { userId, actor }: Pick<MemoryWriteCommand, 'userId' | 'actor'>,
  change: Omit<GroundChange, 'userId'>,
  dependencies: WriteDependencies,
): Promise<readonly WrittenMemory[]> {
  if (change.memoryIds.length === 0 && change.forgottenId === undefined && !change.cutMessageIds?.length) return [];
  const changes = await planSettlement(tx, { userId, ...change });
  if (changes.length === 0) return [];
  const command = { userId, actor, node: 'tom', changes, existingUserOnly: true };
  const settled = await writeChanges(tx, command, dependencies);
  return settled.outcome === 'applied' ? settled.written : [];
}

/** The stored memories that a plan ends, deletes or makes current again. */
function listMoved(stored: readonly StoredMemory[], { updates }: WritePlan): string[] {
  const before = new Map(stored.map((row) => [row.id, row]));
  return updates.flatMap((row) => {
    const was = before.get(row.id);
    return !was || isCurrent(was) !== isCurrent(row) || was.state !== row.state ? [row.id] : [];
  });
}

/** A merge and a split say what was current before. */
const ADDS_NOTHING: ReadonlySet<MemoryChange['kind']> = new Set([
  'delete',
  'purge',
  'compare',
  'reject',
  'merge',
  'split',
]);

/** Whether a change can make a memory current, which may say again what is over. */
function mayAdd({ kind }: MemoryChange): boolean {
  return !ADDS_NOTHING.has(kind);
}

async function lockUserAsKnown(tx: Tx, userId: string, now: number): Promise<ExistingUser> {
  const user = await lockUser(tx, userId, now);
  return { user, erasedAt: user.erasedAt };
}

async function applyPlan(
  tx: Tx,
  command: MemoryWriteCommand,
  { plan, counts }: { readonly plan: WritePlan & Pick<EchoesOfPlan, 'echoes'>; readonly counts: WriteCounts },
  user: LockedUser,
  now: number,
  dependencies: WriteDependencies,
): Promise<void> {
  const terms = await selectUnindexedTerms(tx, plan);
  const nextId = () => dependencies.ids.next();
  const context: HistoryContext = {
    userId: command.userId,
    pseudonym: user.pseudonym,
    actor: command.actor,
    batchId: command.batch?.id ?? null,
    ts: new Date(now).toISOString(),
  };
  const history = chainRows(tx, attachStates(plan), user, context, dependencies);
  const embeddings = plan.toEmbed.flatMap((memory) => {
    const embedding = command.embeddings?.get(memory.content);
    return embedding ? [{ ...embedding, memoryId: memory.id }] : [];
  });
  const { userId } = command;
  // In order: rows that free their hash come before rows that take it, parents before children.
  const statements: Promise<unknown>[] = [];
  if (plan.purges.length > 0) statements.push(...purgeMemoryRows(tx, userId, plan.purges, now));
  const [freeing, taking] = [plan.updates.filter((row) => !isCurrent(row)), plan.updates.filter(isCurrent)];
  if (freeing.length > 0) statements.push(updateMemories(tx, freeing, now));
  if (taking.length > 0) statements.push(updateMemories(tx, taking, now));
  if (plan.inserts.length > 0) statements.push(insertMemories(tx, userId, plan.inserts, now));
  if (plan.echoes.length > 0) statements.push(noteEchoes(tx, plan.echoes));
  if (plan.sources.length > 0) statements.push(insertSources(tx, plan.sources));
  if (plan.sourceCopies.length > 0) statements.push(copySources(tx, plan.sourceCopies));
  if (embeddings.length > 0) statements.push(insertEmbeddings(tx, userId, embeddings));
  if (plan.copies.length > 0) statements.push(copyEmbeddings(tx, plan.copies));
  const index = indexMemories(tx, userId, user.nextUnit, terms);
  statements.push(...index.statements);
  if (plan.unindexed.length > 0) statements.push(removeUnits(tx, { userId, memoryIds: plan.unindexed }));
  if (plan.links.length > 0) statements.push(insertLinks(tx, userId, plan.links, nextId, now));
  if (history.length > 0) {
    statements.push(insertHistory(tx, history, context));
    statements.push(updateUserRow(tx, userId, history.at(-1)!, plan.statistics, index.nextUnit));
  }
  if (plan.changes.length > 0) statements.push(insertChanges(tx, userId, plan.changes, now));
  const { subjectId } = user;
  const work: WorkRequest[] = [];
  if (embeddings.length < plan.toEmbed.length) {
    work.push({ kind: 'vectors', subjectId, availableAt: now, trace: command.trace ?? null });
  }
  const isConsolidated = !command.isOwnWork && scopeOfOwner(userId) === 'user';
  if (isConsolidated && plan.inserts.length + plan.updates.length > 0) {
    // Without the trace of one write: it is the work of all of the day.
    work.push({
      kind: 'consolidation',
      subjectId,
      availableAt: findNextSlot(tx.tenantId, subjectId, now),
      trace: null,
    });
  }
  if (command.batch) work.push({ kind: 'insights', subjectId, availableAt: now, trace: command.trace ?? null });
  if (work.length > 0) statements.push(enqueueWork(tx, work, { now, ids: dependencies.ids }));
  if (command.batch) statements.push(...finishBatch(tx, command.batch, counts, now));
  tx.atCommit(...statements);
}

/** Terms of memories that are not in the index: one that is released a second time, or restored, may be in it already. */
async function selectUnindexedTerms(tx: Tx, { terms, inserts }: WritePlan): Promise<WritePlan['terms']> {
  const insertedIds = new Set(inserts.map(({ id }) => id));
  const released = [...terms.keys()].filter((id) => !insertedIds.has(id));
  if (released.length === 0) return terms;
  const rows = await tx.query<{ memory_id: string }>('SELECT memory_id FROM lexical_units WHERE memory_id = ANY ($1)', [
    released,
  ]);
  const indexed = new Set(rows.map((row) => row.memory_id));
  return new Map([...terms].filter(([id]) => !indexed.has(id)));
}

function updateUserRow(
  tx: Tx,
  userId: string,
  head: { seq: number; hash: string },
  statistics: WritePlan['statistics'],
  nextUnit: number,
): Promise<unknown> {
  return tx.each(UPDATE_USER, {
    user_id: userId,
    chain_seq: head.seq,
    chain_head: head.hash,
    memories: statistics.memories,
    terms: statistics.terms,
    next_unit: nextUnit,
    analyzer: ECHOES_VERSION,
  });
}

interface UserGiven {
  readonly user_id: string;
  readonly chain_seq: number;
  /** Hexadecimal. */
  readonly chain_head: string;
  readonly memories: number;
  readonly terms: number;
  readonly next_unit: number;
  readonly analyzer: number;
}

const UPDATE_USER = defineSet<UserGiven>(
  `user_id text, chain_seq bigint, chain_head text, memories integer, terms integer, next_unit integer,
   analyzer integer`,
  `UPDATE users u
      SET chain_seq = given.chain_seq, chain_head = decode(given.chain_head, 'hex'),
          memory_count = u.memory_count + given.memories, term_total = u.term_total + given.terms,
          next_unit = given.next_unit,
          analyzer = CASE WHEN given.next_unit > u.next_unit THEN least(u.analyzer, given.analyzer) ELSE u.analyzer END
     FROM given WHERE u.user_id = given.user_id`,
);
