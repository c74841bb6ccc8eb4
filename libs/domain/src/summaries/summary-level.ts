import { CONVERSATION_KINDS, type ConversationKind } from '@annals/contracts';

/** What a text is, which decides how its summary is worded. */
export const SUMMARY_KINDS = CONVERSATION_KINDS;
export type SummaryKind = ConversationKind;

/** How deep a text is summarised: not at all, one sentence, a paragraph, chunks and a whole, or a tree of three tiers. */
export const SUMMARY_LEVELS = ['NONE', 'BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL'] as const;
export type SummaryLevel = (typeof SUMMARY_LEVELS)[number];

/** In tokens of the messages: where BRIEF, STANDARD and DETAILED begin, and where DETAILED ends (inclusive). */
const MIN_BRIEF = 100;
const MIN_STANDARD = 500;
const MIN_DETAILED = 3_000;
const MAX_DETAILED = 15_000;

/** The level of a text by its tokens. */
export function selectSummaryLevel(tokens: number): SummaryLevel {
  if (tokens < MIN_BRIEF) return 'NONE';
  if (tokens < MIN_STANDARD) return 'BRIEF';
  if (tokens < MIN_DETAILED) return 'STANDARD';
  return tokens <= MAX_DETAILED ? 'DETAILED' : 'HIERARCHICAL';
}

/** `L1` is the summary of a chunk, `L2` of a group of chunks, `L3` of the whole. */
export type SummaryTier = 'L1' | 'L2' | 'L3';

const BRIEF_SHARE = 0.2;
const STANDARD_SHARE = 0.12;
const DETAILED_SHARE = 0.07;

/**
 * How many tokens a summary of `coveredTokens` is to have: 20 % at BRIEF, 12 % at STANDARD and of a chunk, 7 % at
 * DETAILED and of a group. A whole that is HIERARCHICAL stays as long as the longest DETAILED one (1,050 tokens), since
 * it has to fit into a prompt however long the conversation becomes.
 */
export function targetSummaryTokens(tier: SummaryTier, level: SummaryLevel, coveredTokens: number): number {
  if (level === 'NONE') return 0;
  if (tier === 'L1') return Math.round(coveredTokens * STANDARD_SHARE);
  if (tier === 'L2') return Math.round(coveredTokens * DETAILED_SHARE);
  if (level === 'BRIEF') return Math.round(coveredTokens * BRIEF_SHARE);
  if (level === 'STANDARD') return Math.round(coveredTokens * STANDARD_SHARE);
  return Math.round(Math.min(coveredTokens, MAX_DETAILED) * DETAILED_SHARE);
}

/** What a summary saved; shares of the covered tokens, rounded to three digits. */
export interface CompressionMetrics {
  readonly coveredTokens: number;
  readonly summaryTokens: number;
  readonly ratio: number;
  readonly targetRatio: number;
  /** At most a tenth above the target: models count roughly. Far below it is no fault, since some texts say little. */
  readonly meetsTarget: boolean;
}

const TOLERANCE = 1.1;

export function measureCompression(
  {
    tier,
    level,
    coveredTokens,
  }: { readonly tier: SummaryTier; readonly level: SummaryLevel; readonly coveredTokens: number },
  summaryTokens: number,
): CompressionMetrics {
  const target = targetSummaryTokens(tier, level, coveredTokens);
  const share = (tokens: number) => (coveredTokens > 0 ? Math.round((tokens / coveredTokens) * 1_000) / 1_000 : 0);
  return {
    coveredTokens,
    summaryTokens,
    ratio: share(summaryTokens),
    targetRatio: share(target),
    meetsTarget: summaryTokens <= target * TOLERANCE,
  };
}
