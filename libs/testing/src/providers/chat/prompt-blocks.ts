import { isRecord } from '../models/fake-request.js';
import type { BreakpointMode, PromptBlock } from './prompt-cache.js';

type Body = Readonly<Record<string, unknown>>;

/** The blocks of a request to `POST /v1/chat/completions`: model, tools, format of the answer, parts of the messages. */
export function readOpenAIBlocks(body: Body): PromptBlock[] {
  const { model, tools, functions, response_format: format } = body;
  return [
    block({ model }),
    ...[...list(tools), ...list(functions)].map((tool) => block({ tool })),
    ...(format === undefined ? [] : [block({ format })]),
    ...list(body.messages).flatMap(readOpenAIMessage),
  ];
}

export function readBreakpointMode(body: Body): BreakpointMode {
  const options = body.prompt_cache_options;
  return isRecord(options) && options.mode === 'explicit' ? 'explicit' : 'implicit';
}

/** The blocks of a request to `POST /v1/messages`: model, tools, system, content of the messages. */
export function readAnthropicBlocks(body: Body): PromptBlock[] {
  const blocks = [
    block({ model: body.model }),
    ...list(body.tools).map((tool) => readMarked('tool', tool)),
    ...listParts(body.system).map((part) => readMarked('system', part)),
    ...list(body.messages).flatMap((message) => {
      const { role, content } = isRecord(message) ? message : {};
      return listParts(content).map((part) => readMarked(String(role), part));
    }),
  ];
  if (!isRecord(body.cache_control)) return blocks;
  return blocks.map((last, index) => (index === blocks.length - 1 ? { ...last, isMarked: true } : last));
}

function readOpenAIMessage(message: unknown): PromptBlock[] {
  if (!isRecord(message)) return [];
  const { content, ...rest } = message;
  const parts = listParts(content).map((part): PromptBlock => {
    const { prompt_cache_breakpoint: breakpoint, ...read } = isRecord(part) ? part : { part };
    return { ...block({ role: rest.role, ...read }), isMarked: isRecord(breakpoint) };
  });
  if (parts.length === 0) return [block(rest)];
  if (Object.keys(rest).length === 1) return parts;
  // Whose result a message is stands before it, and an assistant calls tools after it has spoken.
  return rest.role === 'assistant' ? [...parts, block(rest)] : [block(rest), ...parts];
}

function readMarked(role: string, part: unknown): PromptBlock {
  const { cache_control: mark, ...read } = isRecord(part) ? part : { part };
  return { ...block({ role, ...read }), isMarked: isRecord(mark) };
}

function block(read: Body): PromptBlock {
  return { text: JSON.stringify(read), isMarked: false };
}

/** Content as parts: a text is the same as one part of it. */
function listParts(content: unknown): unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
