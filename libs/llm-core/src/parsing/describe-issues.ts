import { extractionResponseSchema } from '@annals/contracts';
import type { MemoryIssue } from './coerce-memory.js';

const MAX_LISTED_ISSUES = 3;

/** What does not fit and where, the first three places by name. Never what stands there. */
export function describeIssues(issues: readonly MemoryIssue[]): string {
  const named = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => `${issue.code} at ${describePath(issue.path)}`);
  const more = issues.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

// Keys of records (emotionalContext and its like) come from the model, so only numbers and our own keys are shown.
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
