import { type BodyPart, type Completion, REFUSAL_WORDS, TOOL_INPUT, TOOL_NAME } from './completion.js';
import type { CountedUsage } from './usage.js';

/** The body of `POST /v1/chat/completions`. */
export function renderChat(completion: Completion): Record<string, unknown> {
  const { pieces, stop, thinking, tools } = completion;
  const text = pieces.join('');
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal: stop === 'refusal' ? REFUSAL_WORDS : null,
    annotations: [],
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    ...(tools ? { tool_calls: [describeTool(completion)] } : {}),
  };
  return {
    ...describeChat(completion, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: mapFinishReason(completion) }],
    ...(completion.usage ? { usage: renderUsage(completion.usage) } : {}),
  };
}

/** The same response as the chunks of a stream; `withUsage` adds the last chunk of `include_usage`. */
export function renderChatChunks(completion: Completion, withUsage: boolean): BodyPart[] {
  const { usage } = completion;
  const frame = {
    ...describeChat(completion, 'chat.completion.chunk'),
    ...(withUsage && usage ? { usage: null } : {}),
  };
  const chunk = (delta: Record<string, unknown>, finish_reason: string | null = null, text?: string): BodyPart =>
    data({ ...frame, choices: [{ index: 0, delta, logprobs: null, finish_reason }] }, text);
  const ending = chunk({}, mapFinishReason(completion));
  const usageChunks = withUsage && usage ? [data({ ...frame, choices: [], usage: renderUsage(usage) })] : [];
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...listDeltas(completion).map(({ delta, text }) => chunk(delta, null, text)),
    ending,
    ...usageChunks,
    { raw: 'data: [DONE]\n\n' },
  ];
}

export function renderStreamError(type: string, code: string | null, message: string): string {
  return data({ error: { message, type, param: null, code } }).raw;
}

function listDeltas(completion: Completion): { delta: Record<string, unknown>; text?: string }[] {
  const { pieces, stop, thinking, tools } = completion;
  const deltas: { delta: Record<string, unknown>; text?: string }[] = pieces.map((text) => ({
    delta: { content: text },
    text,
  }));
  if (tools) {
    const positions = { before: 0, inside: Math.ceil(pieces.length / 2), after: pieces.length };
    deltas.splice(positions[tools], 0, ...splitTool(completion).map((tool) => ({ delta: { tool_calls: [tool] } })));
  }
  if (stop === 'refusal') deltas.push(...REFUSAL_WORDS.split(/(?<= )/).map((refusal) => ({ delta: { refusal } })));
  if (thinking !== undefined) deltas.unshift({ delta: { reasoning_content: thinking } });
  return deltas;
}

function describeTool({ id }: Completion) {
  return { id: `call_${id}`, type: 'function', function: { name: TOOL_NAME, arguments: JSON.stringify(TOOL_INPUT) } };
}

function splitTool(completion: Completion): Record<string, unknown>[] {
  const { id, type, function: called } = describeTool(completion);
  return [
    { index: 0, id, type, function: { name: called.name, arguments: '' } },
    { index: 0, function: { arguments: called.arguments.slice(0, 9) } },
    { index: 0, function: { arguments: called.arguments.slice(9) } },
  ];
}

function describeChat({ id, model, createdAt }: Completion, object: string) {
  return { id: `chatcmpl-${id}`, object, created: Math.floor(createdAt / 1_000), model, service_tier: 'default' };
}

function mapFinishReason({ stop }: Completion): string {
  return { stop: 'stop', length: 'length', refusal: 'stop', content_filter: 'content_filter' }[stop];
}

function renderUsage(usage: CountedUsage): Record<string, unknown> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      audio_tokens: 0,
    },
    completion_tokens_details: { reasoning_tokens: usage.thinkingTokens, audio_tokens: 0 },
  };
}

function data(payload: Record<string, unknown>, text?: string): BodyPart {
  const raw = `data: ${JSON.stringify(payload)}\n\n`;
  return text === undefined ? { raw } : { raw, text };
}
