import type { MemoryType } from '@annals/contracts';
import type { SummaryKind, SummaryLevel, SummaryTier } from '../summaries/summary-level.js';

export const TURN_ROLES = ['user', 'assistant', 'system', 'tool'] as const;

/** A memory as its file shows it; times are epoch ms. */
export interface VaultMemory {
  readonly role: 'memory';
  readonly id: string;
  /** The thread that said it last; null: written by hand, or what it was said in is gone. */
  readonly threadId: string | null;
  readonly content: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly origin: 'extraction' | 'manual';
  readonly importance: number;
  readonly confidence: number;
  readonly pinned: boolean;
  readonly revision: number;
  readonly hash: string;
  readonly createdAt: number;
  readonly validFrom: number;
  readonly validTo: number | null;
  /** When its end became known. */
  readonly closedAt: number | null;
  readonly replacedBy: string | null;
  readonly deletedAt: number | null;
  readonly deletedBy: string | null;
  /** Messages that it rests on, the oldest first. */
  readonly sources: readonly string[];
}

/** A message as its file shows it. */
export interface VaultTurn {
  readonly role: (typeof TURN_ROLES)[number];
  readonly id: string;
  readonly threadId: string;
  readonly content: string;
  readonly seq: number;
  readonly actorId: string | null;
  readonly agentId: string | null;
  readonly createdAt: number;
  /** Since when it is shown to nobody, because a memory of it was deleted. */
  readonly hiddenAt: number | null;
  readonly evictedAt: number | null;
  readonly forgottenAt: number | null;
}

/** A summary as its file shows it, live or replaced. */
export interface VaultSummary {
  readonly role: 'summary';
  readonly id: string;
  readonly threadId: string;
  readonly content: string;
  readonly tier: SummaryTier;
  readonly position: number;
  readonly level: SummaryLevel;
  readonly kind: SummaryKind;
  readonly provider: string;
  readonly model: string | null;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly coveredTokens: number;
  readonly tokens: number;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly replacedBy: string | null;
}

export type VaultItem = VaultMemory | VaultTurn | VaultSummary;

/** Whether the memory belongs to `deleted/`: it was deleted or replaced, or had ended when its end became known. */
export function isTombstone({ deletedAt, replacedBy, validTo, closedAt }: VaultMemory): boolean {
  return deletedAt !== null || replacedBy !== null || (validTo !== null && closedAt !== null && validTo <= closedAt);
}
