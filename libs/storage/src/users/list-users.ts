import { GLOBAL_OWNER, type ListUsersQuery, type User, type UserPage } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import { Binder } from '../query/binder.js';

const LAST_CODE_POINT = 0x10_ff_ff;
const FIRST_SURROGATE = 0xd8_00;
const LAST_SURROGATE = 0xdf_ff;

type UserRow = Pick<UserEntity, 'user_id' | 'created_at' | 'memory_count'> & { last_conversation_at: Date | null };

/**
 * Users of the tenant in the order of code points of their ids, without those that were erased. One read of the index
 * `users_by_id` and one of `conversations_by_update` for each user of the page. Throws InvalidCursorError.
 */
export async function listUsers(tx: Tx, { prefix, cursor, limit }: ListUsersQuery): Promise<UserPage> {
  const after = parseCursor(cursor, ['text']);
  const binder = new Binder();
  binder.where((p) => `user_id COLLATE "C" > ${p}`, after?.[0]);
  binder.where((p) => `user_id COLLATE "C" >= ${p}`, prefix);
  binder.where((p) => `starts_with(user_id, ${p})`, prefix);
  binder.where((p) => `user_id COLLATE "C" < ${p}`, prefix && findNextText(prefix));
  const isListed = ['erased_at IS NULL', `user_id <> ${binder.bind(GLOBAL_OWNER)}`];
  const rows = await tx.query<UserRow>(
    `SELECT u.user_id, u.created_at, u.memory_count, c.updated_at AS last_conversation_at
       FROM (SELECT tenant_id, user_id, created_at, memory_count FROM users WHERE ${binder.whereSql(...isListed)}
              ORDER BY user_id COLLATE "C" LIMIT ${binder.bind(limit + 1)}) u
       LEFT JOIN LATERAL (SELECT updated_at FROM conversations c WHERE c.tenant_id = u.tenant_id AND c.user_id = u.user_id
                           ORDER BY updated_at DESC LIMIT 1) c ON true
      ORDER BY u.user_id COLLATE "C"`,
    binder.values,
  );
  return buildPage(rows, limit, toUser, ({ user_id }) => [user_id]);
}

/**
 * The first text, in the order of code points, that follows all texts with this prefix: it bounds the read of the index.
 * Undefined when no text does.
 */
function findNextText(prefix: string): string | undefined {
  const codes = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (codes.at(-1) === LAST_CODE_POINT) codes.pop();
  const last = codes.pop();
  if (last === undefined) return undefined;
  // Surrogates are no characters.
  const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
  return String.fromCodePoint(...codes, next);
}

function toUser(row: UserRow): User {
  return {
    user_id: row.user_id,
    created_at: row.created_at.toISOString(),
    memories: row.memory_count,
    last_conversation_at: row.last_conversation_at?.toISOString() ?? null,
  };
}
