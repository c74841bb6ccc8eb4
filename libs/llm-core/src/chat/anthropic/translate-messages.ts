import { isJsonObject, type JsonObject } from '../../parsing/json-tree.js';
import { invalid, missing } from './chat-request-error.js';
import { type Ignore, ignoreOthers, isGiven, readMark } from './json-fields.js';
import { nameFunctionCall, translateAssistant, translateCallId } from './translate-assistant.js';
import { translateContent, translateTexts } from './translate-content.js';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

export interface TranslatedMessages {
  readonly system: readonly JsonObject[];
  readonly messages: readonly Turn[];
}

const NO_CALL = -1;

/** The Messages API begins with the user; a greeting of the assistant gets this before it. */
const BEGINNING: Turn = { role: 'user', content: [{ type: 'text', text: '(The conversation begins.)' }] };

/**
 * Translates messages into `system` and turns. Equal messages become equal blocks wherever they stand and whatever
 * follows, so that a longer conversation still begins with the bytes that the prompt cache holds. That is why a later
 * system message is a text of the user: the API’s own are only allowed in some places, and not by every model.
 */
export function translateMessages(messages: readonly unknown[], ignore: Ignore): TranslatedMessages {
  const all = messages.map((message, index) => {
    if (!isJsonObject(message)) throw invalid(`messages[${index}]`, `messages[${index}] must be a message.`);
    return message;
  });
  const firstOther = all.findIndex((message) => !isSystem(message));
  const leading = firstOther === -1 ? all.length : firstOther;
  const system = all.slice(0, leading).flatMap((message, index) => translateSystem(message, index, ignore));
  let lastCall = NO_CALL;
  const turns = mergeTurns(
    all.slice(leading).map((message, offset) => {
      const index = leading + offset;
      if (isJsonObject(message.function_call)) lastCall = index;
      return translateTurn(message, { index, lastCall, ignore });
    }),
  );
  // Instructions alone are what the user wants to say.
  if (turns.length === 0 && system.length > 0) return { system: [], messages: [{ role: 'user', content: system }] };
  return { system, messages: turns[0]?.role === 'assistant' ? [BEGINNING, ...turns] : turns };
}

function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}

function translateSystem(message: JsonObject, index: number, ignore: Ignore): JsonObject[] {
  ignoreOthers(message, ['role', 'content', 'cache_control'], 'messages[].', ignore);
  return markLast(translateTexts(message.content, { param: `messages[${index}].content`, ignore }), message);
}

interface Place {
  readonly index: number;
  /** Index of the last message with the older `function_call`, which its result does not name. */
  readonly lastCall: number;
  readonly ignore: Ignore;
}

function translateTurn(message: JsonObject, { index, lastCall, ignore }: Place): Turn {
  const place = { param: `messages[${index}].content`, ignore };
  switch (message.role) {
    case 'system':
    case 'developer': {
      const texts = translateSystem(message, index, ignore);
      return {
        role: 'user',
        content: texts.map((block) => ({ ...block, text: `<system>\n${String(block.text)}\n</system>` })),
      };
    }
    case 'user':
      ignoreOthers(message, ['role', 'content', 'cache_control'], 'messages[].', ignore);
      return { role: 'user', content: markLast(translateContent(message.content, place), message) };
    case 'assistant':
      return { role: 'assistant', content: markLast(translateAssistant(message, index, ignore), message) };
    case 'tool': {
      const { tool_call_id: id } = message;
      if (typeof id !== 'string' || id === '') throw missing(`messages[${index}].tool_call_id`);
      ignoreOthers(message, ['role', 'content', 'cache_control', 'tool_call_id', 'is_error'], 'messages[].', ignore);
      return { role: 'user', content: [translateResult(message, translateCallId(id), place)] };
    }
    case 'function': {
      if (lastCall === NO_CALL)
        throw invalid(`messages[${index}]`, `messages[${index}] answers no function_call before it.`);
      ignoreOthers(message, ['role', 'name', 'content', 'cache_control'], 'messages[].', ignore);
      return { role: 'user', content: [translateResult(message, nameFunctionCall(lastCall), place)] };
    }
    default:
      throw invalid(
        `messages[${index}].role`,
        `messages[${index}].role must be system, developer, user, assistant or tool.`,
      );
  }
}

/** A mark on a part of the result goes to the result, which is the block of the conversation. */
function translateResult(message: JsonObject, id: string, place: { param: string; ignore: Ignore }): JsonObject {
  const parts = translateContent(message.content, place);
  const marks = [...parts, message].map(readMark).filter(({ cache_control: mark }) => mark !== undefined);
  const content = parts.map((part) =>
    Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'cache_control')),
  );
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content.length > 0 ? { content } : {}),
    ...(typeof message.is_error === 'boolean' ? { is_error: message.is_error } : {}),
    ...marks.at(-1),
  };
}

/** Thinking cannot be marked. */
function markLast(blocks: JsonObject[], message: JsonObject): JsonObject[] {
  const last = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  if (last === -1 || !isGiven(message.cache_control)) return blocks;
  return blocks.map((block, index) => (index === last ? { ...block, ...readMark(message) } : block));
}

/** Messages of one role that follow each other are one turn, in which results of tools come first. */
function mergeTurns(turns: readonly Turn[]): Turn[] {
  const merged: { role: Turn['role']; content: JsonObject[] }[] = [];
  for (const { role, content } of turns) {
    if (content.length === 0) continue;
    if (merged.at(-1)?.role !== role) merged.push({ role, content: [] });
    for (const block of content) merged.at(-1)!.content.push(block);
  }
  return merged.map(({ role, content }) => ({ role, content: resultsFirst(content) }));
}

function resultsFirst(blocks: readonly JsonObject[]): JsonObject[] {
  const isResult = ({ type }: JsonObject): boolean => type === 'tool_result';
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}
