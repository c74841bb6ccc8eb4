import type { SummaryKind } from '@annals/llm-core';
import type { SummaryMessage } from './summarize-messages.js';

/** A text to summarise with what its summary is to say, and never to say. */
export interface SummaryText {
  readonly name: string;
  readonly kind: SummaryKind;
  readonly messages: readonly SummaryMessage[];
  /** Words of the points that a reader would miss; a good summary has most of them. */
  readonly points: readonly string[];
  /** Greetings, thanks and small talk of the text. */
  readonly junk: readonly string[];
}

/**
 * Lines: "# 2026-03-02" begins a day; "Ana: …" is a message of a participant, "user: …" of the user, "assistant: …" of
 * the assistant. `points` and `junk` are divided by "|".
 */
export function summaryText(kind: SummaryKind, name: string, points: string, junk: string, text: string): SummaryText {
  const messages: SummaryMessage[] = [];
  let at = 0;
  for (const line of text.trim().split('\n')) {
    if (line.startsWith('# ')) {
      at = Date.parse(`${line.slice(2)}T09:00:00Z`);
      continue;
    }
    const [, speaker = '', content = ''] = /^(\w+): (.*)$/u.exec(line) ?? [];
    const role = speaker === 'assistant' ? 'assistant' : 'user';
    const actorId = speaker === 'assistant' || speaker === 'user' ? null : speaker;
    messages.push({ id: `m${messages.length + 1}`, role, actorId, content, createdAt: at });
    at += 60_000;
  }
  const list = (words: string) => words.split('|').filter((word) => word !== '');
  return { name, kind, messages, points: list(points), junk: list(junk) };
}
