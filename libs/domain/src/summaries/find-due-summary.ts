/** What is known of a conversation whose watermark has moved; times are epoch ms. */
export interface SummaryOccasion {
  readonly now: number;
  /** Null while the conversation is open. */
  readonly endedAt: number | null;
  readonly lastMessageAt: number;
  /** Of all its messages. */
  readonly tokens: number;
  /** Of the messages that the live summaries cover. */
  readonly coveredTokens: number;
  /** Whether nothing but new messages moved the watermark. */
  readonly appendedOnly: boolean;
}

/**
 * `wait`: what changed is summarised at `until` unless something happens before. `small`: it is too little, and waits
 * for the next message or the end.
 */
export type SummaryDue =
  | { readonly type: 'due'; readonly reason: 'end' | 'idle' | 'growth' }
  | { readonly type: 'wait'; readonly until: number }
  | { readonly type: 'small' };

export const SUMMARY_IDLE_MS = 5 * 60_000;
export const MIN_GROWTH_TOKENS = 1_000;
const MIN_GROWTH_SHARE = 0.2;
/** Of an idle conversation: "ok, thanks" is no reason to make its summary again. */
const MIN_IDLE_TOKENS = 100;

/**
 * Whether a conversation needs new summaries: it has ended; is idle for five minutes, after at least 100 new tokens or a
 * deletion; or has grown by 1,000 tokens and a fifth since the last ones.
 */
export function findDueSummary(occasion: SummaryOccasion): SummaryDue {
  const { now, endedAt, lastMessageAt, tokens, coveredTokens, appendedOnly } = occasion;
  if (endedAt !== null) return { type: 'due', reason: 'end' };
  const growth = tokens - coveredTokens;
  if (appendedOnly && growth < MIN_IDLE_TOKENS) return { type: 'small' };
  if (now - lastMessageAt >= SUMMARY_IDLE_MS) return { type: 'due', reason: 'idle' };
  if (growth >= Math.max(MIN_GROWTH_TOKENS, coveredTokens * MIN_GROWTH_SHARE)) return { type: 'due', reason: 'growth' };
  return { type: 'wait', until: lastMessageAt + SUMMARY_IDLE_MS };
}

/** What moves the watermark of a conversation. */
export interface WatermarkFacts {
  readonly lastSeq: number;
  /** How often messages were hidden by a deletion, or came back. */
  readonly deletions: number;
  readonly kind: string;
}

/**
 * Equal as long as nothing happened to a conversation. A new version of prompts or rules does not move it: otherwise an
 * upgrade would summarise every conversation again.
 */
export function summaryWatermark({ lastSeq, deletions, kind }: WatermarkFacts): string {
  return `${lastSeq}.${deletions}.${kind}`;
}

/** Whether nothing but messages came in between two watermarks. Not before the first one. */
export function hasOnlyGrown(from: string | null, to: string): boolean {
  return from !== null && from.slice(from.indexOf('.')) === to.slice(to.indexOf('.'));
}
