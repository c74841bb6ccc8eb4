import type { AnswerBehaviour } from './behaviour.js';
import type { FakeRequest } from './fake-request.js';
import type { CountedUsage } from './usage.js';

/** An answer before it is rendered in the format of an API. */
export interface Completion {
  readonly id: string;
  readonly model: string;
  /** The text in the pieces in which it streams. */
  readonly pieces: readonly string[];
  readonly stop: 'stop' | 'length' | 'refusal' | 'content_filter';
  readonly thinking?: string;
  readonly tools?: 'before' | 'inside' | 'after';
  /** Null: the answer does not report it, but it is charged. */
  readonly usage: CountedUsage | null;
  readonly createdAt: number;
}

/** A part of a body as it is sent. `text` is the part of the answer's text that it contains. */
export interface BodyPart {
  readonly raw: string;
  readonly text?: string;
}

export const TOOL_NAME = 'look_up';
export const TOOL_INPUT = { query: 'a tool call that extraction has to ignore' };
export const REFUSAL_WORDS = "I can't help with that.";

const DEFAULT_PIECE_LENGTH = 24;
const UNITS_PER_TOKEN = 4;

/** The text that is sent: empty for empty answers, shorter when it is truncated. */
export function cutText(
  text: string,
  behaviour: AnswerBehaviour,
  request: FakeRequest,
): { text: string; isCut: boolean } {
  if (behaviour.stop === 'empty' || behaviour.stop === 'refusal') return { text: '', isCut: false };
  if (behaviour.stop === 'truncated') return { text: text.slice(0, Math.ceil(text.length / 2)), isCut: true };
  if (behaviour.stop === 'content_filter') return { text: text.slice(0, Math.ceil(text.length / 3)), isCut: false };
  const limit = (request.maxOutputTokens ?? Infinity) * UNITS_PER_TOKEN;
  return { text: text.slice(0, limit), isCut: text.length > limit };
}

export function splitText(text: string, pieceLength = DEFAULT_PIECE_LENGTH): string[] {
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, index) =>
    text.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}
