import { LLMError } from '../provider/llm-error.js';

/** Identifiers, as classes and codes of errors are. */
const IDENTIFIER = /^[\w.-]{1,60}$/;

/**
 * The error of a run of the runtime, with class and code of its cause. The message of the cause is dropped, since it may
 * quote the texts.
 * @param what "The ONNX reranker failed to score the documents"
 */
export function toRunFailure(what: string, cause: unknown): LLMError {
  const { name, code } = (cause ?? {}) as { name?: unknown; code?: unknown };
  const facts = [name, code].map(String).filter((fact) => fact !== 'undefined' && IDENTIFIER.test(fact));
  return new LLMError('unknown', `${what} (${facts.join(', ') || typeof cause}).`, { provider: 'onnx' });
}
