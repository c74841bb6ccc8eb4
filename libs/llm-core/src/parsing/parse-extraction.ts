import { extractionResponseSchema } from '@annals/contracts';
import type { ExtractionResponse } from '@annals/contracts';
import type { z } from 'zod';
import { LLMError } from '../provider/llm-error.js';

const MAX_NAMED_ISSUES = 3;

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

function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const named = issues.slice(0, MAX_NAMED_ISSUES).map((issue) => `${issue.code} at ${describePath(issue.path)}`);
  const more = issues.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

// Keys of records (emotionalContext and its like) come from the model, so only numbers and short plain words are shown.
function describePath(path: readonly PropertyKey[]): string {
  const parts = path.slice(0, 3).map((key) => (isPlainKey(key) ? String(key) : '?'));
  return parts.length === 0 ? 'the top' : parts.join('.');
}

const KNOWN_KEYS = new Set([
  'schemaVersion',
  'memories',
  ...Object.keys(extractionResponseSchema.shape.memories.element.shape),
]);

function isPlainKey(key: PropertyKey): boolean {
  return typeof key === 'number' || (typeof key === 'string' && KNOWN_KEYS.has(key));
}
