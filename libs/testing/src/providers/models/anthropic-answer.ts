import { type BodyPart, type Completion, REFUSAL_WORDS, TOOL_INPUT, TOOL_NAME } from './completion.js';
import type { CountedUsage } from './usage.js';

type Block = { type: 'thinking' | 'tool_use' } | { type: 'text'; pieces: readonly string[] };

/** The body of `POST /v1/messages`. */
export function renderMessage(completion: Completion): Record<string, unknown> {
  return {
    ...describeMessage(completion),
    content: listBlocks(completion).map((block) => renderBlock(block, completion)),
    ...describeStop(completion),
    ...(completion.usage ? { usage: renderUsage(completion.usage) } : {}),
  };
}

/** The same response as the events of a stream. */
export function renderMessageEvents(completion: Completion): BodyPart[] {
  const start = completion.usage ? { ...renderUsage(completion.usage), output_tokens: 1 } : undefined;
  const message = { ...describeMessage(completion), content: [], stop_reason: null, stop_sequence: null, usage: start };
  const { stop_reason, stop_details } = describeStop(completion);
  const delta = { stop_reason, stop_sequence: null, stop_details, container: null };
  return [
    event('message_start', { message }),
    event('ping', {}),
    ...listBlocks(completion).flatMap((block, index) => renderBlockEvents(block, index, completion)),
    event('message_delta', { delta, ...(completion.usage ? { usage: renderUsage(completion.usage) } : {}) }),
    event('message_stop', {}),
  ];
}

export function renderStreamError(type: string, message: string, requestId: string): string {
  return event('error', { error: { type, message, details: null }, request_id: requestId }).raw;
}

function listBlocks({ pieces, thinking, tools }: Completion): Block[] {
  const half = Math.ceil(pieces.length / 2);
  const parts = tools === 'inside' ? [pieces.slice(0, half), pieces.slice(half)] : [pieces];
  const texts = parts.filter((part) => part.length > 0).map((part): Block => ({ type: 'text', pieces: part }));
  const blocks: Block[] = thinking === undefined ? [] : [{ type: 'thinking' }];
  if (!tools) return [...blocks, ...texts];
  const positions = { before: 0, inside: 1, after: texts.length };
  texts.splice(positions[tools], 0, { type: 'tool_use' });
  return [...blocks, ...texts];
}

function renderBlock(block: Block, { id, thinking }: Completion): Record<string, unknown> {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking, signature: 'c2lnbmF0dXJl' };
    case 'tool_use':
      return { type: 'tool_use', id: `toolu_${id}`, caller: { type: 'direct' }, name: TOOL_NAME, input: TOOL_INPUT };
    case 'text':
      return { type: 'text', text: block.pieces.join(''), citations: null };
  }
}

function renderBlockEvents(block: Block, index: number, completion: Completion): BodyPart[] {
  const empty = { text: { text: '' }, thinking: { thinking: '', signature: '' }, tool_use: { input: {} } }[block.type];
  return [
    event('content_block_start', { index, content_block: { ...renderBlock(block, completion), ...empty } }),
    ...listDeltas(block, completion).map(({ delta, text }) => event('content_block_delta', { index, delta }, text)),
    event('content_block_stop', { index }),
  ];
}

function listDeltas(block: Block, { thinking }: Completion): { delta: Record<string, unknown>; text?: string }[] {
  switch (block.type) {
    case 'thinking':
      return [
        { delta: { type: 'thinking_delta', thinking } },
        { delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' } },
      ];
    case 'tool_use':
      return splitInput().map((partial_json) => ({ delta: { type: 'input_json_delta', partial_json } }));
    case 'text':
      return block.pieces.map((text) => ({ delta: { type: 'text_delta', text }, text }));
  }
}

function splitInput(): string[] {
  const input = JSON.stringify(TOOL_INPUT);
  return ['', input.slice(0, 9), input.slice(9)];
}

function describeMessage({ id, model }: Completion) {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, container: null, diagnostics: null };
}

function describeStop({ stop }: Completion) {
  const stop_reason = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal', content_filter: 'refusal' }[stop];
  const refused = { type: 'refusal', category: 'general_harms', explanation: REFUSAL_WORDS };
  return { stop_reason, stop_sequence: null, stop_details: stop_reason === 'refusal' ? refused : null };
}

function renderUsage(usage: CountedUsage): Record<string, unknown> {
  return {
    input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { thinking_tokens: usage.thinkingTokens },
    server_tool_use: null,
    service_tier: 'standard',
    speed: 'standard',
    inference_geo: null,
  };
}

function event(type: string, fields: Record<string, unknown>, text?: string): BodyPart {
  const raw = `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  return text === undefined ? { raw } : { raw, text };
}
