import type { ContentBlock, Message } from '@anthropic-ai/sdk/resources/messages';
import type { JsonObject } from '../../parsing/json-tree.js';
import { sumUsage } from '../../providers/claude/claude-usage.js';
import { describeRefusal, translateStopReason } from './finish-reason.js';
import { translateUsage } from './translate-usage.js';

/** What every answer and chunk of a stream needs beside the message. */
export interface AnswerContext {
  /** Unix time in seconds. */
  readonly created: number;
  readonly usesFunctions: boolean;
}

/** Translates a message into a `chat.completion`. Blocks of tools that the API ran itself have no counterpart. */
export function translateAnswer(message: Message, { created, usesFunctions }: AnswerContext): JsonObject {
  const usage = sumUsage(message.usage);
  return {
    id: message.id,
    object: 'chat.completion',
    created,
    model: message.model,
    choices: [
      {
        index: 0,
        message: translateMessage(message, usesFunctions),
        logprobs: null,
        finish_reason: translateStopReason(message.stop_reason, usesFunctions),
      },
    ],
    ...(usage ? { usage: translateUsage(usage, message.usage.output_tokens_details?.thinking_tokens ?? 0) } : {}),
  };
}

export function joinTexts(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function translateMessage(
  { content, stop_reason: reason, stop_details: stop }: Message,
  usesFunctions: boolean,
): JsonObject {
  const text = joinTexts(content);
  const thinking = content.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  const reasoning = content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('');
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal: reason === 'refusal' ? describeRefusal(stop?.explanation) : null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(thinking.length > 0 ? { thinking_blocks: thinking } : {}),
    ...translateUses(content, usesFunctions),
  };
}

function translateUses(content: readonly ContentBlock[], usesFunctions: boolean): JsonObject {
  const calls = content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
      : [],
  );
  if (calls.length === 0) return {};
  return usesFunctions ? { function_call: calls[0]!.function } : { tool_calls: calls };
}
