import type { ConversationExcerpt, ConversationMessage } from '../provider/llm-request.js';
import type { ConversationAnalysis } from './analyze-conversation.js';
import { computeTokenCap, DEFAULT_SALIENCE_CONFIG, type SalienceConfig } from './salience-config.js';
import { type SalienceSelection, selectSalientMessages } from './select-salient-messages.js';

/** The excerpt of a batch that a model is shown, and how it was selected. */
export interface FittedExcerpt {
  readonly excerpt: ConversationExcerpt;
  readonly selection: SalienceSelection;
  /** Number of omitted context messages; nothing is extracted from context, so no fact is lost with them. */
  readonly omittedContextCount: number;
}

/**
 * Fits a batch and its context into the token cap: first the messages, then as much context as the remaining tokens
 * allow, latest first. Context messages are shortened.
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
  if (whole === undefined)
    throw new Error('A context message has not been analysed: pass it to analyzeConversation first.');
  return content === '' ? whole : Math.ceil((whole * shown.length) / content.length);
}

const MAX_CONTEXT_LENGTH = 400;
const OMISSION = ' […] ';
// Halves of a surrogate pair that was split.
const HALF_AT_END = /[\ud800-\udbff]$/;
const HALF_AT_START = /^[\udc00-\udfff]/;

/**
 * Shortens a context message to its beginning and end, where the topic and the question of an answer usually are.
 * Nothing is extracted from context, and answers of assistants are long.
 */
function shortenContext(content: string): string {
  if (content.length <= MAX_CONTEXT_LENGTH) return content;
  const half = Math.floor((MAX_CONTEXT_LENGTH - OMISSION.length) / 2);
  const beginning = content.slice(0, half).replace(HALF_AT_END, '');
  const end = content.slice(-half).replace(HALF_AT_START, '');
  return beginning + OMISSION + end;
}
