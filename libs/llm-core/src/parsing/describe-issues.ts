import { extractionResponseSchema } from '@annals/contracts';
import type { MemoryIssue } from './coerce-memory.js';

const MAX_LISTED_ISSUES = 3;

/** Describes issues for a correction: code and path of the first three. Never quotes the answer. */
export function describeIssues(issues: readonly MemoryIssue[]): string {
  const named = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => `${issue.code} at ${describePath(issue.path)}`);
  const more = issues.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

// Keys of records (emotionalContext and the like) are chosen by the model, so only array indexes and keys of the
// contract are shown.
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
