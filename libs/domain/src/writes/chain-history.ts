import { type ChainedFields, chainHash, contentHmac } from '../audit/chain.js';
import type { HistoryDraft } from './types.js';

export interface HistoryContext {
  readonly userId: string;
  readonly actor: string;
  readonly batchId: string | null;
  /** RFC 3339 UTC with milliseconds. */
  readonly ts: string;
}

/** A history row, chained: hashes are hex. */
export interface HistoryRow extends HistoryDraft {
  readonly id: string;
  readonly seq: number;
  readonly salt: string;
  readonly contentHmac: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** What a history row's hash covers, named as in the table (docs/reference/audit.md#hash-chain-of-the-history). */
export function chainedFields(
  row: HistoryDraft & { readonly id: string; readonly seq: number; readonly contentHmac: string },
  context: HistoryContext,
): ChainedFields {
  return {
    user_id: context.userId,
    seq: row.seq,
    id: row.id,
    memory_id: row.memoryId,
    event: row.event,
    old_ref: row.oldRef,
    new_ref: row.newRef,
    actor: context.actor,
    batch_id: context.batchId,
    meta: row.meta,
    content_hmac: row.contentHmac,
    ts: context.ts,
  };
}

/** Chains drafts to a user's history after the row `head`. `nextSalt` returns a new random salt in hex. */
export function chainHistory(
  drafts: readonly HistoryDraft[],
  head: { readonly seq: number; readonly hash: string },
  context: HistoryContext,
  nextId: () => string,
  nextSalt: () => string,
): HistoryRow[] {
  let { seq, hash } = head;
  return drafts.map((draft) => {
    const salt = nextSalt();
    const prevHash = hash;
    seq += 1;
    const row = { ...draft, id: nextId(), seq, contentHmac: contentHmac(Buffer.from(salt, 'hex'), draft.content) };
    hash = chainHash(prevHash, chainedFields(row, context));
    return { ...row, salt, prevHash, hash };
  });
}
