import type { ConversationMessage } from '../provider/llm-request.js';
import type { ConversationAnalysis } from './analyze-conversation.js';
import { DEFAULT_SALIENCE_CONFIG } from './salience-config.js';
import type { SalienceConfig } from './salience-config.js';

export interface SalienceInput {
  /** The messages to choose from, in the order of the conversation. */
  readonly messages: readonly ConversationMessage[];
  readonly analysis: Pick<ConversationAnalysis, 'deltas' | 'tokens'>;
}

/** What was chosen, in the order of the conversation, and the diagnostics that are kept with the extraction. */
export interface SalienceSelection {
  readonly selectedIds: readonly string[];
  readonly prunedIds: readonly string[];
  readonly prunedCount: number;
  readonly estimatedTokens: number;
  readonly scores: readonly { readonly id: string; readonly score: number }[];
}

export function selectSalientMessages(
  { messages }: SalienceInput,
  _config: SalienceConfig = DEFAULT_SALIENCE_CONFIG,
): SalienceSelection {
  return {
    selectedIds: messages.map(({ id }) => id),
    prunedIds: [],
    prunedCount: 0,
    estimatedTokens: 0,
    scores: [],
  };
}
