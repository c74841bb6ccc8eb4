import { findOneTimeData } from '@annals/domain';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { PURGE_START, type PurgePosition } from '../lifecycle/expire-and-purge.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import { forgetMemories } from './forget-memories.js';
import { forgetMessages } from './forget-message.js';

/** A memory or message with one-time data whose time is over. */
export interface ShortLived {
  readonly tenantId: string;
  readonly userId: string;
  readonly id: string;
  readonly isMessage: boolean;
}

export const SHORT_LIVED_START = PURGE_START;

interface ShortLivedRow {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly id: string;
  readonly is_message: boolean;
  readonly expires_at: Date;
}

/** The next one-time data that is due at `now` (epoch ms), longest due first; `position`: where to go on, null at the end. */
export async function findShortLived(
  database: Database,
  { now, after, limit }: { readonly now: number; readonly after: PurgePosition; readonly limit: number },
): Promise<{ due: ShortLived[]; position: PurgePosition | null }> {
  const parameters = [new Date(now), new Date(after.purgeAt), after.tenantId, after.memoryId, limit];
  const rows = await database.callAcrossTenants<ShortLivedRow>('find_short_lived', parameters);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    due: rows.map((row) => ({
      tenantId: row.tenant_id,
      userId: row.user_id,
      id: row.id,
      isMessage: row.is_message,
    })),
    position: last ? { purgeAt: last.expires_at.getTime(), tenantId: last.tenant_id, memoryId: last.id } : null,
  };
}

const ACTOR = 'one_time_data';

/** Forgets one-time data of one user for good, and returns how much of it there was (docs/reference/forgetting.md#one-time-data). */
export async function forgetShortLived(
  tx: Tx,
  due: readonly ShortLived[],
  dependencies: WriteDependencies,
): Promise<number> {
  const memoryIds = due.filter(({ isMessage }) => !isMessage).map(({ id }) => id);
  const messageIds = due.filter(({ isMessage }) => isMessage).map(({ id }) => id);
  let done = 0;
  if (memoryIds.length > 0 && (await forgetMemories(tx, { memoryIds, actor: ACTOR }, dependencies))) {
    done += memoryIds.length;
  }
  const messages = await tx.query<Pick<MessageEntity, 'id' | 'content' | 'said_at'>>(
    `SELECT id, content, said_at FROM messages WHERE id = ANY ($1) AND expires_at IS NOT NULL ORDER BY id`,
    [messageIds],
  );
  const cut = messages.map(({ id, content, said_at: saidAt }) => ({
    messageId: id,
    places: findOneTimeData(content, saidAt.getTime()).spans,
  }));
  done += (await forgetMessages(tx, { messages: cut, actor: ACTOR }, dependencies)).messageIds.length;
  return done;
}
