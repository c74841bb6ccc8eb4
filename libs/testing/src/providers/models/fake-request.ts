import type { Endpoint } from './behaviour.js';

export type ModelApi = 'anthropic' | 'openai';

/** A request of either API, for the answer function, rules and the journal. Never contains the API key. */
export interface FakeRequest {
  /** 1 for the first request of this server. */
  readonly number: number;
  readonly api: ModelApi;
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly stream: boolean;
  /** All system text. */
  readonly system: string;
  /** Texts of role `user`, first to last; a corrective call has more than one. */
  readonly userTexts: readonly string[];
  /** The structured output that is requested. */
  readonly outputMode: 'schema' | 'json_object' | 'text';
  readonly maxOutputTokens: number | null;
  /** Every distinct `mark-…` word in the prompt, by which tests recognise conversations. */
  readonly marks: readonly string[];
}

const MARK = /\bmark-[a-z0-9-]*[a-z0-9]/gi;

export function findMarks(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(MARK) ?? []))];
}

/** The text of a message's content in either API's format: a string, or parts with `text`. */
export function extractText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function extractMessages(body: Readonly<Record<string, unknown>>): { role: string; text: string }[] {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isRecord) : [];
  return messages.map((message) => ({ role: String(message.role), text: extractText(message.content) }));
}
