import { type ChainedFields, chainHash, type ChainVersion, contentHmac } from '../audit/chain.js';
import { memoryStateHmac } from '../audit/memory-state.js';
import type { HistoryDraft } from './types.js';

export interface HistoryContext {
  readonly userId: string;
  /** Stands for the user in the chain, see `userPseudonym`. */
  readonly pseudonym: string;
  readonly actor: string;
  readonly batchId: string | null;
  /** RFC 3339 UTC with milliseconds. */
  readonly ts: string;
}

/** A history row, chained: hashes are hex. */
export interface HistoryRow extends Omit<HistoryDraft, 'memory'> {
  readonly id: string;
  readonly seq: number;
  readonly salt: string;
  readonly contentHmac: string;
  /** Of the memory as this write leaves it; null for rows after which it is as before, or that are of no memory. */
  readonly stateHmac: string | null;
  readonly prevHash: string;
  readonly hash: string;
}

/** What a history row's hash covers, named as in the table (docs/reference/audit.md#hash-chain-of-the-history). */
export function chainedFields(
  row: Omit<HistoryDraft, 'memory'> & Pick<HistoryRow, 'id' | 'seq' | 'contentHmac' | 'stateHmac'>,
  context: HistoryContext,
  version: ChainVersion,
): ChainedFields {
  return {
    ...(version === 1 ? { user_id: context.userId } : { user: context.pseudonym, state_hmac: row.stateHmac }),
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

export interface ChainSources {
  readonly nextId: () => string;
  /** A new random salt in hex. */
  readonly nextSalt: () => string;
  /** The installation's chain key. */
  readonly key: Uint8Array;
}

/** Chains drafts to a user's history after the row `head`. */
export function chainHistory(
  drafts: readonly HistoryDraft[],
  head: { readonly seq: number; readonly hash: string },
  context: HistoryContext,
  { nextId, nextSalt, key }: ChainSources,
): HistoryRow[] {
  let { seq, hash } = head;
  return drafts.map(({ memory, ...draft }) => {
    const salt = nextSalt();
    const saltBytes = Buffer.from(salt, 'hex');
    const prevHash = hash;
    seq += 1;
    const row = {
      ...draft,
      id: nextId(),
      seq,
      contentHmac: contentHmac(saltBytes, draft.content),
      stateHmac: memory ? memoryStateHmac(key, saltBytes, memory) : null,
    };
    hash = chainHash(prevHash, chainedFields(row, context, 2), 2);
    return { ...row, salt, prevHash, hash };
  });
}
