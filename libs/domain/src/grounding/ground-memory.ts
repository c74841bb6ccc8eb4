import type { Evidence, MessageRole } from '@annals/contracts';
import { isEmptyQuote, isQuoteGrounded } from './is-quote-grounded.js';

/** A message that may be cited. */
export interface CitableMessage {
  readonly role: MessageRole;
  readonly content: string;
}

/** Why a memory is quarantined. */
export const GROUNDING_REASONS = [
  'no_evidence',
  'empty_quote',
  'unknown_message',
  'quote_not_found',
  'role_not_allowed',
] as const;
export type GroundingReason = (typeof GROUNDING_REASONS)[number];

/** The result of checking a memory's evidence. `evidence` contains the confirmed quotes. */
export type Grounding =
  | { readonly grounded: true; readonly evidence: Evidence[] }
  | { readonly grounded: false; readonly reason: GroundingReason; readonly evidence: Evidence[] };

/** Which quotes may ground a memory. */
export interface GroundingOptions {
  /**
   * Lets a quote of the assistant ground a memory by itself; by default it is context only
   * (docs/reference/extraction.md#only-user-messages-are-extracted).
   */
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
  if (isEmptyQuote(quote)) return 'empty_quote';
  return isQuoteGrounded(quote, message.content) ? undefined : 'quote_not_found';
}

function canGround(message: CitableMessage | undefined, options: GroundingOptions): boolean {
  return message?.role === 'user' || (message?.role === 'assistant' && options.allowAssistant === true);
}
