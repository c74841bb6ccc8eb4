import type { ConversationExcerpt, ConversationMessage } from '../provider/llm-request.js';
import type { ConversationAnalysis } from './analyze-conversation.js';
import { DEFAULT_SALIENCE_CONFIG, computeTokenCap } from './salience-config.js';
import type { SalienceConfig } from './salience-config.js';
import { selectSalientMessages } from './select-salient-messages.js';
import type { SalienceSelection } from './select-salient-messages.js';
import { shortenContext } from './shorten-context.js';

/** What of a batch a model is shown, and how it was chosen. */
export interface FittedExcerpt {
  readonly excerpt: ConversationExcerpt;
  readonly selection: SalienceSelection;
  /** Context messages left out; nothing is ever extracted from context, so no fact is lost with them. */
  readonly omittedContextCount: number;
}

/**
 * Fits a batch and its context into the token cap together: the messages first, then as much context as there is budget
 * for, the latest first. Context messages are shown shortened.
 */
export function fitExcerpt(
  { messages, context }: ConversationExcerpt,
  analysis: Pick<ConversationAnalysis, 'deltas' | 'tokens'>,
  config: SalienceConfig = DEFAULT_SALIENCE_CONFIG,
): FittedExcerpt {
  const selection = selectSalientMessages({ messages, analysis }, config);
  const selectedIds = new Set(selection.selectedIds);
  const retained = fitContext(context, analysis.tokens, computeTokenCap(config) - selection.estimatedTokens);
  return {
    excerpt: { messages: messages.filter(({ id }) => selectedIds.has(id)), context: retained },
    selection,
    omittedContextCount: context.length - retained.length,
  };
}

function fitContext(
  context: readonly ConversationMessage[],
  tokens: ReadonlyMap<string, number>,
  budget: number,
): ConversationMessage[] {
  const retained: ConversationMessage[] = [];
  let left = budget;
  for (const message of context.toReversed()) {
    const content = shortenContext(message.content);
    left -= estimateShortened(message, content, tokens);
    if (left < 0) break;
    retained.push({ ...message, content });
  }
  return retained.toReversed();
}

function estimateShortened(
  { id, content }: ConversationMessage,
  shown: string,
  tokens: ReadonlyMap<string, number>,
): number {
  const whole = tokens.get(id);
  if (whole === undefined) throw new Error('A context message was to be shown that has not been analysed.');
  return content === '' ? whole : Math.ceil((whole * shown.length) / content.length);
}
