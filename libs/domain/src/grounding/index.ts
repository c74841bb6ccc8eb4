export { GROUNDING_REASONS, groundMemory } from './ground-memory.js';
export type { CitableMessage, Grounding, GroundingOptions, GroundingReason } from './ground-memory.js';
export { isQuoteGrounded } from './is-quote-grounded.js';
