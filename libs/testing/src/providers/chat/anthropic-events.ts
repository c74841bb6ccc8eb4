import { countFakeTokens } from '../models/usage.js';
import type { CachedTokens } from './prompt-cache.js';

/** A block of an answer. `pieces` are how a stream delivers it; default: two. */
export type AnswerBlock = { readonly pieces?: readonly string[] } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
);

export type StopReason =
  'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'pause_turn' | 'refusal' | 'model_context_window_exceeded';

/** An answer of the Messages API. */
export interface AnthropicMessage {
  readonly content: readonly AnswerBlock[];
  /** Default: `tool_use` with such a block, else `end_turn`. */
  readonly stop?: StopReason;
  readonly stopSequence?: string;
  /** Why it refused. */
  readonly explanation?: string;
}

export interface Rendered {
  readonly id: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cached: CachedTokens;
}

export interface MessageEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The body of `POST /v1/messages`. */
export function renderAnthropicMessage(message: AnthropicMessage, rendered: Rendered): Record<string, unknown> {
  return {
    ...describe(rendered),
    content: message.content.map(renderBlock),
    ...describeStop(message),
    usage: renderUsage(message, rendered),
  };
}

/** The same answer as the events of a stream, in order. */
export function listMessageEvents(message: AnthropicMessage, rendered: Rendered): MessageEvent[] {
  const usage = renderUsage(message, rendered);
  const start = { ...describe(rendered), content: [], stop_reason: null, stop_sequence: null, stop_details: null };
  return [
    { type: 'message_start', message: { ...start, usage: { ...usage, output_tokens: 1 } } },
    { type: 'ping' },
    ...message.content.flatMap(listBlockEvents),
    { type: 'message_delta', delta: { ...describeStop(message), container: null }, usage },
    { type: 'message_stop' },
  ];
}

export function renderEvent(event: MessageEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function listBlockEvents(block: AnswerBlock, index: number): MessageEvent[] {
  return [
    { type: 'content_block_start', index, content_block: { ...renderBlock(block), ...renderEmpty(block) } },
    ...listDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function renderBlock(block: AnswerBlock): Record<string, unknown> {
  const { pieces: _, ...rest } = block;
  if (rest.type === 'text') return { ...rest, citations: null };
  return rest.type === 'tool_use' ? { ...rest, caller: { type: 'direct' } } : { ...rest };
}

/** A block at its start: what the deltas bring is still missing. */
function renderEmpty({ type }: AnswerBlock): Record<string, unknown> {
  switch (type) {
    case 'text':
      return { text: '' };
    case 'thinking':
      return { thinking: '', signature: '' };
    case 'tool_use':
      return { input: {} };
    case 'redacted_thinking':
      return {};
  }
}

function listDeltas(block: AnswerBlock): Record<string, unknown>[] {
  switch (block.type) {
    case 'text':
      return split(block.text, block.pieces).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...split(block.thinking, block.pieces).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return ['', ...split(JSON.stringify(block.input), block.pieces)].map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
    case 'redacted_thinking':
      return [];
  }
}

function split(text: string, pieces: readonly string[] | undefined): readonly string[] {
  const half = Math.ceil(text.length / 2);
  return pieces ?? [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '');
}

function describe({ id, model }: Rendered) {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, container: null, diagnostics: null };
}

function describeStop({ content, stop, stopSequence, explanation }: AnthropicMessage) {
  const stop_reason = stop ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');
  const stop_details =
    stop_reason === 'refusal' ? { type: 'refusal', category: 'cyber', explanation: explanation ?? null } : null;
  return { stop_reason, stop_sequence: stopSequence ?? null, stop_details };
}

function renderUsage({ content }: AnthropicMessage, { inputTokens, cached }: Rendered): Record<string, unknown> {
  const { readTokens, writeTokens } = cached;
  const thinkingTokens = countAll(content.filter(({ type }) => type === 'thinking'));
  return {
    input_tokens: inputTokens - readTokens - writeTokens,
    cache_creation_input_tokens: writeTokens,
    cache_read_input_tokens: readTokens,
    cache_creation: { ephemeral_5m_input_tokens: writeTokens, ephemeral_1h_input_tokens: 0 },
    output_tokens: countAll(content),
    output_tokens_details: { thinking_tokens: thinkingTokens },
    server_tool_use: null,
    service_tier: 'standard',
    speed: 'standard',
    inference_geo: null,
  };
}

function countAll(content: readonly AnswerBlock[]): number {
  return content.reduce((total, block) => total + countFakeTokens(JSON.stringify(renderBlock(block))), 0);
}
