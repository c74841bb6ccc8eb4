import { LLMError } from './llm-error.js';
import type { LLMErrorDetails } from './llm-error.js';

/** Returns a copy of the error with more details; the error's own details take precedence. */
export function addDetails(error: LLMError, details: LLMErrorDetails): LLMError {
  const { type, message, name: _name, ...own } = error;
  return new LLMError(type, message, { ...details, ...own });
}
