import type { SummaryKind, SummaryLevel, SummaryTier } from './summary-level.js';

/** A message of a conversation as far as planning needs it. */
export interface SummarizedMessage {
  readonly id: string;
  /** Increases within the conversation. */
  readonly seq: number;
  readonly tokens: number;
}

/** A sentence of a summary with the messages that it rests on. */
export interface SummarySentence {
  readonly text: string;
  readonly messageIds: readonly string[];
}

/** A stored summary without its text. */
export interface StoredSummary {
  readonly id: string;
  readonly tier: SummaryTier;
  /** Of the chunk or the group, from 0; 0 at L3. */
  readonly position: number;
  readonly level: SummaryLevel;
  readonly kind: SummaryKind;
  /** Version of the prompt or of the rules that it was made with. */
  readonly recipe: string;
  /** The messages that it covers, both included. */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly coveredTokens: number;
  readonly coveredMessages: number;
  /** Of what it was made from; the same again only for the same content (`fingerprint` of its step). */
  readonly fingerprint: string;
  /** `tombstoned`: replaced or no longer needed; kept, and restorable. */
  readonly state: 'live' | 'tombstoned';
}

/**
 * How a text is worded. `BRIEF`: one sentence. `STANDARD`: a paragraph of all messages. `CHUNK`: one chunk of many.
 * `META`: one text of several summaries. `ROLLING`: an earlier summary with what is new.
 */
export const SUMMARY_PROMPTS = ['BRIEF', 'STANDARD', 'CHUNK', 'META', 'ROLLING'] as const;
export type SummaryPromptName = (typeof SUMMARY_PROMPTS)[number];

/**
 * What a step reads, in the order of the conversation. A summary is an earlier step of the plan, or stored: then `id`
 * says which.
 */
export type SummaryInput =
  | { readonly type: 'messages'; readonly messages: readonly SummarizedMessage[] }
  | { readonly type: 'summary'; readonly tier: SummaryTier; readonly position: number; readonly id: string | null };

/** One summary to make: one model call, or one run of the rules. */
export interface SummaryStep {
  readonly tier: SummaryTier;
  readonly position: number;
  readonly level: SummaryLevel;
  readonly kind: SummaryKind;
  readonly recipe: string;
  readonly prompt: SummaryPromptName;
  readonly inputs: readonly SummaryInput[];
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly coveredTokens: number;
  readonly coveredMessages: number;
  readonly targetTokens: number;
  readonly fingerprint: string;
  /** The live summary that becomes a tombstone when this one is written; null for the first of its place. */
  readonly replaces: string | null;
}

export interface SummaryPlan {
  readonly level: SummaryLevel;
  /** In order: a step reads only stored summaries and those of steps before it. */
  readonly steps: readonly SummaryStep[];
  /** Ids of live summaries that become tombstones without a successor, since what they covered is gone or needs none. */
  readonly tombstones: readonly string[];
}
