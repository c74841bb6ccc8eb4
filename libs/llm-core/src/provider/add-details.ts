import { LLMError } from './llm-error.js';
import type { LLMErrorDetails } from './llm-error.js';

/** The same failure with more details; what it told itself stands. */
export function addDetails(error: LLMError, details: LLMErrorDetails): LLMError {
  const { type, message, name: _name, ...told } = error;
  return new LLMError(type, message, { ...details, ...told });
}
