import type { Message, RawMessageStreamEvent, StopReason } from '@anthropic-ai/sdk/resources/messages';
import type { TokenUsage } from '../../provider/token-usage.js';
import type { AnswerFinishReason, ReceivedAnswer } from '../remote/received-answer.js';

/** Token figures as they come; compatible servers leave some out. */
interface ClaudeUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
}

/** A whole answer. Blocks are distinguished by their type: thinking and tool calls are no text. */
export function readClaudeMessage(message: Message, received: ReceivedAnswer): void {
  received.usage = sumUsage(message.usage);
  for (const block of message.content) {
    if (block.type === 'text') received.addText(block.text);
  }
  received.end = mapFinishReason(message.stop_reason);
}

/** A streamed answer, to its end or to where it breaks off: `end` is set by its last event only. */
export async function readClaudeStream(
  events: AsyncIterable<RawMessageStreamEvent>,
  received: ReceivedAnswer,
): Promise<void> {
  let usage: ClaudeUsage = {};
  let stopReason: StopReason | null = null;
  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        usage = mergeUsage(usage, event.message.usage);
        received.usage = sumUsage(usage);
        break;
      case 'content_block_start':
        if (event.content_block.type === 'text') received.addText(event.content_block.text);
        break;
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') received.addText(event.delta.text);
        break;
      case 'message_delta':
        // Cumulative: the last one counts.
        usage = mergeUsage(usage, event.usage);
        received.usage = sumUsage(usage);
        stopReason = event.delta.stop_reason;
        break;
      case 'message_stop':
        received.end = mapFinishReason(stopReason);
        break;
      default:
        break;
    }
  }
}

function mergeUsage(known: ClaudeUsage, next: ClaudeUsage | undefined): ClaudeUsage {
  const merged = { ...known };
  for (const [name, count] of Object.entries(next ?? {}) as [keyof ClaudeUsage, unknown][]) {
    if (typeof count === 'number') merged[name] = count;
  }
  return merged;
}

/** `input_tokens` leaves out what the cache gave or took (provider facts §2.2). */
function sumUsage(usage: ClaudeUsage | undefined): TokenUsage | undefined {
  if (typeof usage?.input_tokens !== 'number' || typeof usage.output_tokens !== 'number') return undefined;
  const cacheReadTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: usage.input_tokens + cacheReadTokens + cacheWriteTokens,
    outputTokens: usage.output_tokens,
    cacheReadTokens,
    cacheWriteTokens,
  };
}

function mapFinishReason(stopReason: StopReason | null): AnswerFinishReason {
  switch (stopReason) {
    case 'refusal':
      return 'refused';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    default:
      return 'stop';
  }
}
