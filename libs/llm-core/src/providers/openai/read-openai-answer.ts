import type OpenAI from 'openai';
import type { TokenUsage } from '../../provider/token-usage.js';
import type { AnswerFinishReason, ReceivedAnswer } from '../remote/received-answer.js';

type Completion = OpenAI.Chat.ChatCompletion;
type Chunk = OpenAI.Chat.ChatCompletionChunk;

/** Reads a complete answer. A refusal is checked separately, because it has no finish reason (provider facts §3.2). */
export function readOpenAICompletion(completion: Completion, received: ReceivedAnswer): void {
  received.usage = mapUsage(completion.usage);
  const choice = (completion.choices as Completion['choices'] | undefined)?.[0];
  if (!choice) return;
  received.addText(choice.message.content ?? '');
  received.end = choice.message.refusal ? 'refused' : mapFinishReason(choice.finish_reason);
}

/** Reads a streamed answer to its end or to where the stream breaks: `end` is set when a finish reason was received. */
export async function readOpenAIStream(chunks: AsyncIterable<Chunk>, received: ReceivedAnswer): Promise<void> {
  let isRefusal = false;
  for await (const chunk of chunks) {
    received.usage = mapUsage(chunk.usage) ?? received.usage;
    // The last chunk, with the usage, has no choices.
    const choice = (chunk.choices as Chunk['choices'] | undefined)?.[0];
    if (!choice) continue;
    isRefusal ||= Boolean(choice.delta.refusal);
    received.addText(choice.delta.content ?? '');
    if (choice.finish_reason) received.end = isRefusal ? 'refused' : mapFinishReason(choice.finish_reason);
  }
}

/** `prompt_tokens` includes tokens read from or written to the cache, `completion_tokens` includes reasoning. */
function mapUsage(usage: OpenAI.CompletionUsage | null | undefined): TokenUsage | undefined {
  if (!usage || !Number.isInteger(usage.prompt_tokens) || !Number.isInteger(usage.completion_tokens)) return undefined;
  const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details ?? {};
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    ...(typeof read === 'number' ? { cacheReadTokens: read } : {}),
    ...(typeof written === 'number' ? { cacheWriteTokens: written } : {}),
  };
}

function mapFinishReason(reason: string | null | undefined): AnswerFinishReason {
  switch (reason) {
    case 'length':
      return 'length';
    case 'content_filter':
      return 'refused';
    default:
      return 'stop';
  }
}
