import { isJsonObject, type JsonObject } from '../../parsing/json-tree.js';
import { invalid, missing, unsupported } from './chat-request-error.js';
import { type Ignore, ignoreOthers, isGiven, readMark } from './json-fields.js';
import { translateContent } from './translate-content.js';

const KNOWN = [
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'thinking_blocks',
  'reasoning_content',
  'cache_control',
  'audio',
];

/** The blocks of a message of the assistant: thinking, text, tool uses. */
export function translateAssistant(message: JsonObject, index: number, ignore: Ignore): JsonObject[] {
  const param = `messages[${index}]`;
  if (isGiven(message.audio))
    throw unsupported(`${param}.audio`, `${param}.audio cannot be heard by Claude: send its text.`);
  ignoreOthers(message, KNOWN, 'messages[].', ignore);
  const thinking = translateThinking(message.thinking_blocks, ignore);
  // Claude takes back thinking only with the signature that the blocks have.
  if (thinking.length === 0 && isGiven(message.reasoning_content)) ignore('messages[].reasoning_content');
  const said = [
    ...translateContent(message.content, { param: `${param}.content`, ignore }),
    ...translateContent(message.refusal, { param: `${param}.refusal`, ignore }),
    ...translateCalls(message.tool_calls, `${param}.tool_calls`),
    ...(isJsonObject(message.function_call)
      ? [translateFunction(message.function_call, nameFunctionCall(index), `${param}.function_call`)]
      : []),
  ];
  if (said.length > 0) return [...thinking, ...said];
  // The API takes no thinking that leads to nothing, such as before a cut.
  if (thinking.length > 0) ignore('messages[].thinking_blocks');
  return [];
}

/**
 * The blocks of thinking that an answer had. Clients that collect the parts of a stream may add fields, or send a block
 * in pieces, of which the last has the signature.
 */
function translateThinking(blocks: unknown, ignore: Ignore): JsonObject[] {
  const whole: JsonObject[] = [];
  let words = '';
  for (const block of Array.isArray(blocks) ? blocks.filter(isJsonObject) : []) {
    if (block.type === 'redacted_thinking') whole.push({ type: block.type, data: block.data });
    if (block.type !== 'thinking') continue;
    words += typeof block.thinking === 'string' ? block.thinking : '';
    if (!isGiven(block.signature)) continue;
    whole.push({ type: 'thinking', thinking: words, signature: block.signature });
    words = '';
  }
  if (words !== '') ignore('messages[].thinking_blocks');
  return whole;
}

/** Calls of the older `function_call` have no id. */
export function nameFunctionCall(index: number): string {
  return `function_call_${index}`;
}

/** The Messages API takes fewer characters in ids than other servers write. */
export function translateCallId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_');
}

function translateCalls(calls: unknown, param: string): JsonObject[] {
  if (!isGiven(calls)) return [];
  if (!Array.isArray(calls)) throw invalid(param, `${param} must be a list.`);
  return calls.map((call: unknown, index) => {
    const place = `${param}[${index}]`;
    if (!isJsonObject(call) || !isJsonObject(call.function)) {
      throw unsupported(place, `${place} must be a call of a function: Claude has no other kind of tool calls.`);
    }
    if (typeof call.id !== 'string' || call.id === '') throw missing(`${place}.id`);
    return { ...translateFunction(call.function, translateCallId(call.id), `${place}.function`), ...readMark(call) };
  });
}

function translateFunction(called: JsonObject, id: string, param: string): JsonObject {
  if (typeof called.name !== 'string') throw missing(`${param}.name`);
  return { type: 'tool_use', id, name: called.name, input: parseArguments(called.arguments, `${param}.arguments`) };
}

function parseArguments(text: unknown, param: string): JsonObject {
  // Of a function without parameters, some clients send no text.
  if (!isGiven(text)) return {};
  try {
    const input: unknown = typeof text === 'string' ? JSON.parse(text) : text;
    if (isJsonObject(input)) return input;
  } catch {
    // Told below.
  }
  throw invalid(param, `${param} must be a JSON object.`);
}
