import type { Evidence, MessageRole } from '@annals/contracts';
import { normalizeContent } from '../hash/content-hash.js';

export interface CitableMessage {
  readonly role: MessageRole;
  readonly content: string;
}

const GROUNDING_REASONS = [
  'no_evidence',
  'empty_quote',
  'unknown_message',
  'quote_not_found',
  'role_not_allowed',
] as const;
type GroundingReason = (typeof GROUNDING_REASONS)[number];

/** The result of checking a memory's evidence. `evidence` contains the confirmed quotes. */
export type Grounding =
  | { readonly grounded: true; readonly evidence: Evidence[] }
  | { readonly grounded: false; readonly reason: GroundingReason; readonly evidence: Evidence[] };

export interface GroundingOptions {
  /** Lets a quote of the assistant ground a memory by itself; by default it is context only. */
  readonly allowAssistant?: boolean;
}

/**
 * Checks a memory against the messages it cites (docs/reference/extraction.md#grounding-by-quotes,
 * docs/reference/extraction.md#only-user-messages-are-extracted). A quote that is not in its message, or a message that
 * does not exist, is false evidence: the memory is not grounded, whatever its other evidence. Quotes of system and tool
 * messages, and empty quotes, are ignored; then at least one quote of a user must remain.
 */
export function groundMemory(
  memory: { readonly evidence: readonly Evidence[] },
  messagesById: ReadonlyMap<string, CitableMessage>,
  options: GroundingOptions = {},
): Grounding {
  const checked = memory.evidence.map((evidence) => ({ evidence, violation: checkEvidence(evidence, messagesById) }));
  const evidence = checked.filter(({ violation }) => violation === undefined).map((held) => held.evidence);
  const violations = checked.flatMap(({ violation }) => (violation ? [violation] : []));
  const falseEvidence = violations.find(
    (violation) => violation === 'unknown_message' || violation === 'quote_not_found',
  );
  if (falseEvidence) return { grounded: false, reason: falseEvidence, evidence };
  if (evidence.some(({ message_id }) => canGround(messagesById.get(message_id), options)))
    return { grounded: true, evidence };
  return {
    grounded: false,
    reason: evidence.length > 0 ? 'role_not_allowed' : (violations[0] ?? 'no_evidence'),
    evidence,
  };
}

function checkEvidence(
  { message_id, quote }: Evidence,
  messagesById: ReadonlyMap<string, CitableMessage>,
): GroundingReason | undefined {
  const message = messagesById.get(message_id);
  if (!message) return 'unknown_message';
  if (message.role === 'system' || message.role === 'tool') return 'role_not_allowed';
  const needle = normalizeQuote(quote);
  if (needle === '') return 'empty_quote';
  return containsWords(normalizeMessage(message), needle) ? undefined : 'quote_not_found';
}

const normalizedMessages = new WeakMap<CitableMessage, string>();

/** Once per message: an answer may cite a long one hundreds of times. */
function normalizeMessage(message: CitableMessage): string {
  const normalized = normalizedMessages.get(message) ?? normalizeForQuote(message.content);
  normalizedMessages.set(message, normalized);
  return normalized;
}

function canGround(message: CitableMessage | undefined, options: GroundingOptions): boolean {
  return message?.role === 'user' || (message?.role === 'assistant' && options.allowAssistant === true);
}

const DOUBLE_QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2033\u300c-\u300f]/g;
const SINGLE_QUOTES = /[\u0060\u00b4\u2018-\u201b\u2032\u2039\u203a]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const WHITESPACE_RUN = /\s+/g;
// Characters that models put around a quote: quotation marks, ellipses, dashes.
const WRAPPING = ' "\'.-';
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
// Between characters of scripts without spaces every position is a word boundary.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * True when `quote` occurs in `messageText`, after normalisation (docs/reference/extraction.md#grounding-by-quotes):
 * the hash normal form, with all kinds of quotation marks and dashes unified, without the characters around the quote.
 * Whole words only: "art" is not a quote from "start". An empty quote is never grounded.
 */
export function isQuoteGrounded(quote: string, messageText: string): boolean {
  return isQuotedFrom(quote, [messageText]);
}

const normalizedParts = new WeakMap<readonly string[], readonly string[]>();

/** `isQuoteGrounded` in one of `parts`, which are normalised once: an answer may have thousands of quotes. */
export function isQuotedFrom(quote: string, parts: readonly string[]): boolean {
  const needle = normalizeQuote(quote);
  const normalized = normalizedParts.get(parts) ?? parts.map(normalizeForQuote);
  normalizedParts.set(parts, normalized);
  return needle !== '' && normalized.some((part) => containsWords(part, needle));
}

function containsWords(haystack: string, needle: string): boolean {
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    if (isWordEdge(haystack, at) && isWordEdge(haystack, at + needle.length)) return true;
  }
  return false;
}

// The hash form can contain two spaces where a format character was removed; here every run becomes one space.
function normalizeForQuote(text: string): string {
  const unified = text.replace(DOUBLE_QUOTES, '"').replace(SINGLE_QUOTES, "'").replace(DASHES, '-');
  return normalizeContent(normalizeContent(unified)).replace(WHITESPACE_RUN, ' ');
}

function normalizeQuote(quote: string): string {
  const text = normalizeForQuote(quote);
  let start = 0;
  let end = text.length;
  while (start < end && WRAPPING.includes(text.charAt(start))) start += 1;
  while (end > start && WRAPPING.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const SPACE = 0x20;

function isWordEdge(text: string, position: number): boolean {
  // Most quotes end at a space, and a text of one letter has a candidate at each position.
  if (text.charCodeAt(position - 1) === SPACE || text.charCodeAt(position) === SPACE) return true;
  if (isAsciiLetter(text.charCodeAt(position - 1)) && isAsciiLetter(text.charCodeAt(position))) return false;
  const before = Array.from(text.slice(Math.max(0, position - 2), position)).at(-1) ?? '';
  const after = String.fromCodePoint(text.codePointAt(position) ?? 0x20);
  if (!WORD_CHARACTER.test(before) || !WORD_CHARACTER.test(after)) return true;
  return UNSPACED.test(before) || UNSPACED.test(after);
}

function isAsciiLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}
