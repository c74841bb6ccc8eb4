import { ProblemError } from '@annals/contracts';
import { invalidFields } from './parse-input.js';

/** The expected version of a request, from `If-Match` or the body; null without one. Throws when they differ. */
export function resolveExpectedVersion(inHeader: number | null, inBody: number | undefined): number | null {
  if (inHeader !== null && inBody !== undefined && inHeader !== inBody) {
    throw invalidFields([
      { path: 'body.version', message: 'Send the same version as in If-Match, or only one of them.' },
    ]);
  }
  return inHeader ?? inBody ?? null;
}

/**
 * The problem of a write whose expected version is no longer the current one. It names the current version, and where
 * to send it. 412 for `If-Match`, as HTTP requires; 409 for a version in the body.
 */
export function versionConflict(version: number, { inHeader }: { inHeader: boolean }): ProblemError {
  const expected = inHeader ? `If-Match: "${version}"` : `version ${version}`;
  const detail =
    version === 0
      ? `Nothing is stored here: send ${expected} to create it.`
      : `The stored version has changed: read it, apply your change to it, and send the result with ${expected}.`;
  return new ProblemError(inHeader ? 'revision_conflict' : 'version_conflict', detail, { currentVersion: version });
}
