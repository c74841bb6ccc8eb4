/** What is known of a conversation without reading its messages; times are epoch ms. */
export interface SummaryOccasion {
  readonly now: number;
  /** Null while the conversation is open. */
  readonly endedAt: number | null;
  readonly lastMessageAt: number;
  /** Of all its messages. */
  readonly tokens: number;
  /** `summaryWatermark` of the conversation as it is. */
  readonly watermark: string;
  /** Of the last run, which may have found that none is needed; null before the first. */
  readonly lastWatermark: string | null;
  /** Of the messages that the live summaries cover. */
  readonly coveredTokens: number;
  /** Whether nothing but new messages moved the watermark. */
  readonly appendedOnly: boolean;
  /** Runs that failed at this very watermark. */
  readonly failures: number;
}

/**
 * `wait`: what changed is summarised at `until` unless something happens before. `sleep`: nothing is to be done until
 * the watermark moves.
 */
export type SummaryDue =
  | { readonly type: 'due'; readonly reason: 'end' | 'idle' | 'growth' }
  | { readonly type: 'wait'; readonly until: number }
  | { readonly type: 'sleep'; readonly reason: 'unchanged' | 'small' | 'failed' };

export const SUMMARY_IDLE_MS = 5 * 60_000;
export const MAX_SUMMARY_FAILURES = 3;
const MIN_GROWTH_TOKENS = 1_000;
/** Of an idle conversation: "ok, thanks" is no reason to make its summary again. */
const MIN_IDLE_TOKENS = 100;
const MIN_GROWTH_SHARE = 0.2;

/**
 * Whether a conversation needs new summaries: it has ended; is idle for five minutes, after at least 100 new tokens or a
 * deletion; or has grown by 1,000 tokens and a fifth since the last ones. Needs no model: run it before every model call.
 */
export function findDueSummary(occasion: SummaryOccasion): SummaryDue {
  const { now, endedAt, lastMessageAt, tokens, watermark, lastWatermark, coveredTokens, failures } = occasion;
  if (lastWatermark === watermark && failures === 0) return { type: 'sleep', reason: 'unchanged' };
  if (failures >= MAX_SUMMARY_FAILURES) return { type: 'sleep', reason: 'failed' };
  if (endedAt !== null) return { type: 'due', reason: 'end' };
  const growth = tokens - coveredTokens;
  if (occasion.appendedOnly && growth < MIN_IDLE_TOKENS) return { type: 'sleep', reason: 'small' };
  if (now - lastMessageAt >= SUMMARY_IDLE_MS) return { type: 'due', reason: 'idle' };
  if (growth >= Math.max(MIN_GROWTH_TOKENS, coveredTokens * MIN_GROWTH_SHARE)) return { type: 'due', reason: 'growth' };
  return { type: 'wait', until: lastMessageAt + SUMMARY_IDLE_MS };
}

/** What moves the watermark of a conversation. */
export interface WatermarkFacts {
  readonly lastSeq: number;
  /** Messages that were deleted or forgotten so far. */
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
