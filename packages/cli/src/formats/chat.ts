import type { NotTaken } from './not-taken.js';

export interface ChatMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** RFC 3339. */
  readonly created_at: string;
}

/** A conversation of another product, as it is posted. */
export interface Chat {
  readonly id: string;
  readonly messages: readonly ChatMessage[];
  readonly notTaken: readonly NotTaken[];
}

/** The server takes messages of as many UTF-16 units. */
const MAX_MESSAGE_LENGTH = 100_000;
const MAX_ID_LENGTH = 190;

/** Text that the server stores unchanged. */
export function toStorable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** An id of another product as one of a message or thread; null for one that cannot be. */
export function toId(id: unknown): string | null {
  if (typeof id !== 'string') return null;
  const trimmed = toStorable(id).trim();
  return trimmed === '' || trimmed.length > MAX_ID_LENGTH ? null : trimmed;
}

/** A long message in parts that the server takes, divided behind a line or word where there is one. */
export function splitLong(message: ChatMessage): ChatMessage[] {
  const parts: string[] = [];
  let rest = message.content;
  while (rest.length > MAX_MESSAGE_LENGTH) {
    const end = findCut(rest);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (parts.length === 0) return [message];
  return [...parts, rest]
    .filter((content) => content.trim() !== '')
    .map((content, index) => ({ ...message, content, id: index === 0 ? message.id : `${message.id}#${index + 1}` }));
}

function findCut(text: string): number {
  const window = text.slice(0, MAX_MESSAGE_LENGTH);
  const at = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' ')) + 1;
  if (at > MAX_MESSAGE_LENGTH / 2) return at;
  // Not within a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(window) ? MAX_MESSAGE_LENGTH - 1 : MAX_MESSAGE_LENGTH;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** RFC 3339 has years of four digits. */
const END_OF_TIMES = Date.UTC(10_000, 0);

/** A time of the export as RFC 3339: a text, or seconds since 1970; null for anything else, also when it is out of range. */
export function toTime(value: unknown): string | null {
  const ms = typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return ms > 0 && ms < END_OF_TIMES ? new Date(ms).toISOString() : null;
}
