import {
  chainHistory,
  type Clock,
  GENESIS_HASH,
  type HistoryContext,
  type HistoryDraft,
  type HistoryRow,
  type IdGenerator,
} from '@annals/domain';
import { SecretKeyMismatchError } from '../database/errors.js';
import { defineRead, defineSet } from '../database/set-statement.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';

/** A user whose row this transaction has locked: other writers of this user wait. */
export interface LockedUser {
  readonly pseudonym: string;
  /** The user as subject of work. */
  readonly subjectId: string;
  /** The end of the audit chain, to which the next row is appended. */
  readonly chain: { readonly seq: number; readonly hash: string };
  /** Epoch ms of the last erasure. */
  readonly erasedAt: number | null;
  /** First free number of the lexical index. */
  readonly nextUnit: number;
  /** Raised by each transaction that adds vectors to stored memories. */
  readonly vectorSeq: number;
}

/** `user`: null without a row. `erasedAt`: epoch ms of the last erasure. */
export interface ExistingUser {
  readonly user: LockedUser | null;
  readonly erasedAt: number | null;
}

/** Locks the user's row, inserted when missing (docs/reference/writes.md#lock-the-users-row-first). `now`: epoch ms. */
export async function lockUser(tx: Tx, userId: string, now: number): Promise<LockedUser> {
  // DO UPDATE locks a conflicting row even though it changes nothing.
  const locking = tx.query<LockedRow>(
    `INSERT INTO users AS u (user_id, created_at, pseudonym) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, user_id) DO UPDATE
        SET pseudonym = coalesce(u.pseudonym, excluded.pseudonym),
            subject_id = coalesce(u.subject_id, excluded.subject_id)
     RETURNING ${LOCKED_COLUMNS}`,
    [userId, new Date(now), tx.pseudonymOf(userId)],
  );
  return (await readLocked(tx, userId, locking)).user!;
}

/**
 * The same for work on data that is stored already: a user who has been erased meanwhile stays without a row, which
 * would contain their id.
 */
export async function lockExistingUser(tx: Tx, userId: string): Promise<ExistingUser> {
  const locking = tx.each(LOCK_EXISTING, { user_id: userId, pseudonym: tx.pseudonymOf(userId) });
  return readLocked(tx, userId, locking);
}

async function readLocked(tx: Tx, userId: string, locking: Promise<LockedRow[]>): Promise<ExistingUser> {
  const pseudonym = tx.pseudonymOf(userId);
  const [[row], [erased]] = await allOf([
    locking,
    // A statement of its own, so that it sees an erasure for which the one before has waited.
    tx.each(ERASED_CHAIN, { user_id: userId, pseudonym }),
  ]);
  const erasedAt = latest(row?.erased_at ?? null, erased?.erased_at ?? null);
  if (!row) return { user: null, erasedAt };
  assertSameKey(row.pseudonym, pseudonym);
  // The chain of a user who was erased goes on when they return.
  const end = erased && row.chain_head === null ? erased : row;
  const chain = { seq: Number(end.chain_seq), hash: end.chain_head?.toString('hex') ?? GENESIS_HASH };
  const { next_unit: nextUnit, vector_seq: vectorSeq, subject_id: subjectId } = row;
  return { user: { pseudonym, subjectId, chain, erasedAt, nextUnit, vectorSeq: Number(vectorSeq) }, erasedAt };
}

/**
 * Throws {@link SecretKeyMismatchError} when a user's row records another pseudonym than `own`, that of this process's
 * key. Null records none: a row of an earlier release.
 */
export function assertSameKey(recorded: string | null, own: string): void {
  if (recorded !== null && recorded !== own) throw new SecretKeyMismatchError();
}

/**
 * Locks the user's row if there is one, and returns the pseudonym that their history hashes: not `tx.pseudonymOf` when
 * it was begun with another secret key.
 */
export async function lockRecordedPseudonym(tx: Tx, userId: string): Promise<string> {
  // As strong as the lock of an erasure, which follows: a lock that is raised could deadlock with who shares the row.
  const [row] = await tx.query<Pick<UserEntity, 'pseudonym'>>(
    'SELECT pseudonym FROM users WHERE user_id = $1 FOR UPDATE',
    [userId],
  );
  return row?.pseudonym ?? tx.pseudonymOf(userId);
}

const LOCKED_COLUMNS = 'u.pseudonym, u.chain_seq, u.chain_head, u.erased_at, u.next_unit, u.vector_seq, u.subject_id';

type ChainRow = Pick<UserEntity, 'chain_seq' | 'chain_head' | 'erased_at'>;
type LockedRow = ChainRow & Pick<UserEntity, 'pseudonym' | 'next_unit' | 'vector_seq'> & { subject_id: string };

const LOCK_EXISTING = defineSet<{ user_id: string; pseudonym: string }, LockedRow>(
  'user_id text, pseudonym text',
  `UPDATE users u
      SET pseudonym = coalesce(u.pseudonym, given.pseudonym), subject_id = coalesce(u.subject_id, gen_random_uuid())
     FROM given WHERE u.user_id = given.user_id RETURNING given.w, ${LOCKED_COLUMNS}`,
);

const ERASED_CHAIN = defineRead<{ user_id: string; pseudonym: string }, ChainRow>(
  'user_id text, pseudonym text',
  `SELECT u.chain_seq, u.chain_head, u.erased_at FROM users u
    WHERE u.user_id = given.pseudonym AND u.user_id <> given.user_id OFFSET 0`,
);

function latest(a: Date | null, b: Date | null): number | null {
  if (a === null || b === null) return (a ?? b)?.getTime() ?? null;
  return Math.max(a.getTime(), b.getTime());
}

/** Rows for a user's audit history that describe a write other than a memory change. */
export interface AppendHistoryInput {
  readonly userId: string;
  /** Actor: `key:<id>`, `person`, or a worker's name. */
  readonly actor: string;
  /** `content` is removed by an erasure. `meta` is retained forever, so it must not contain personal content. */
  readonly rows: readonly HistoryDraft[];
}

export interface ChainDependencies {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Returns `size` unpredictable bytes. */
  readonly randomBytes: (size: number) => Buffer;
}

const SALT_BYTES = 16;

/** The rows as links that continue the chain. */
export function chainRows(
  tx: Tx,
  rows: readonly HistoryDraft[],
  { chain }: Pick<LockedUser, 'chain'>,
  context: HistoryContext,
  { ids, randomBytes }: Omit<ChainDependencies, 'clock'>,
): HistoryRow[] {
  // At once: each call to the host takes several microseconds.
  const salts = randomBytes(SALT_BYTES * rows.length).toString('hex');
  let used = 0;
  const nextSalt = () => {
    used += 2 * SALT_BYTES;
    return salts.slice(used - 2 * SALT_BYTES, used);
  };
  return chainHistory(rows, chain, context, { nextId: () => ids.next(), nextSalt, key: tx.chainKey });
}

export function insertHistory(tx: Tx, rows: readonly HistoryRow[], context: HistoryContext) {
  return tx.each(INSERT_HISTORY, {
    rows: rows.map(({ memoryId, oldRef, newRef, contentHmac, stateHmac, prevHash, ...row }) => {
      return {
        ...row,
        memory_id: memoryId,
        old_ref: oldRef,
        new_ref: newRef,
        content_hmac: contentHmac,
        state_hmac: stateHmac,
        prev_hash: prevHash,
      };
    }),
    user_id: context.userId,
    actor: context.actor,
    batch_id: context.batchId,
    ts: context.ts,
  });
}

interface HistoryGiven {
  readonly rows: readonly object[];
  readonly user_id: string;
  readonly actor: string;
  readonly batch_id: string | null;
  readonly ts: string;
}

const INSERT_HISTORY = defineSet<HistoryGiven>(
  'rows json, user_id text, actor text, batch_id uuid, ts timestamptz',
  `INSERT INTO history (version, user_id, seq, id, memory_id, event, old_ref, new_ref, actor, batch_id, meta, content,
                        salt, content_hmac, state_hmac, prev_hash, hash, ts)
   SELECT 2, given.user_id, r.seq, r.id, r.memory_id, r.event, r.old_ref, r.new_ref, given.actor, given.batch_id, r.meta,
          r.content, decode(r.salt, 'hex'), decode(r.content_hmac, 'hex'), decode(r.state_hmac, 'hex'),
          decode(r.prev_hash, 'hex'), decode(r.hash, 'hex'), given.ts
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (seq bigint, id uuid, memory_id uuid, event text, old_ref uuid, new_ref uuid, meta jsonb, content text,
             salt text, content_hmac text, state_hmac text, prev_hash text, hash text)`,
);

/**
 * Appends rows to a user's audit chain, in the transaction of the write they describe
 * (docs/reference/memory-model.md#history-and-change-log-events, docs/reference/audit.md#hash-chain-of-the-history),
 * and returns them. Locks the user's row first.
 */
export async function appendHistory(
  tx: Tx,
  { userId, actor, rows }: AppendHistoryInput,
  dependencies: ChainDependencies,
): Promise<HistoryRow[]> {
  const now = dependencies.clock.now();
  const user = await lockUser(tx, userId, now);
  const { pseudonym } = user;
  const context: HistoryContext = { userId, pseudonym, actor, batchId: null, ts: new Date(now).toISOString() };
  const history = chainRows(tx, rows, user, context, dependencies);
  const head = history.at(-1);
  if (!head) return [];
  tx.atCommit(
    insertHistory(tx, history, context),
    tx.execute(`UPDATE users SET chain_seq = $2, chain_head = decode($3, 'hex') WHERE user_id = $1`, [
      userId,
      head.seq,
      head.hash,
    ]),
  );
  return history;
}
