import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { withoutInjected } from './injected-block.js';

/** What a person or the model said: system texts, tool results and what was injected are nobody's words. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface Conversation {
  readonly said: readonly Said[];
  /** What the person said since the assistant last said something, or in their last turn: the end of `said` or before. */
  readonly turn: { readonly start: number; readonly end: number };
}

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const said = prompt.flatMap(readSaid);
  const end = said.findLastIndex(({ role }) => role === 'user') + 1;
  let start = end;
  while (said[start - 1]?.role === 'user') start -= 1;
  return { said, turn: { start, end } };
}

/** The text of a message or an answer. Texts around a tool call are one answer. */
export function joinTexts(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  const texts = parts.flatMap(({ type, text }) => (type === 'text' ? storable(withoutInjected(text ?? '')) : []));
  return texts.filter((text) => text !== '').join('\n');
}

function readSaid(message: LanguageModelV4Message): Said[] {
  if (message.role !== 'user' && message.role !== 'assistant') return [];
  const text = joinTexts(message.content as readonly { type: string; text?: string }[]);
  return text === '' ? [] : [{ role: message.role, text }];
}

/** PostgreSQL and UTF-8 hold neither NUL characters nor lone surrogates, so the server refuses them. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
