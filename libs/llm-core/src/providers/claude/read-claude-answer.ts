import type { Message, RawMessageStreamEvent, StopReason } from '@anthropic-ai/sdk/resources/messages';
import type { TokenUsage } from '../../provider/token-usage.js';
import type { AnswerFinishReason, ReceivedAnswer } from '../remote/received-answer.js';

/** Token figures as received; compatible servers omit some of them. */
interface ClaudeUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
}

/** Reads a complete answer. Only text blocks are used, not thinking or tool calls. */
export function readClaudeMessage(message: Message, received: ReceivedAnswer): void {
  received.usage = sumUsage(message.usage);
  for (const block of message.content) {
    if (block.type === 'text') received.addText(block.text);
  }
  received.end = mapFinishReason(message.stop_reason);
}

/** Reads a streamed answer to its end or to where the stream breaks: `end` is set by its last event only. */
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
        // Usage is cumulative: the last event counts.
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

/** `input_tokens` excludes tokens read from or written to the cache (provider facts §2.2). */
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
