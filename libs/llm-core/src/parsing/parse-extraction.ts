import { extractionResponseSchema } from '@annals/contracts';
import type { ExtractionResponse } from '@annals/contracts';
import { LLMError } from '../provider/llm-error.js';
import { describeIssues } from './describe-issues.js';

/**
 * Reads a provider's answer as `memory_llm_response_v1`.
 * @throws LLMError `parsing`; its message names the places that do not fit, never what stands there.
 */
export function parseExtraction(text: string): ExtractionResponse {
  const result = extractionResponseSchema.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new LLMError('parsing', `The answer does not have the agreed shape: ${describeIssues(result.error.issues)}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LLMError('parsing', `The answer is not JSON (${text.length} characters).`);
  }
}
