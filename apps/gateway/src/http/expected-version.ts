import { ProblemError } from '@annals/contracts';
import { invalidFields } from './parse-part.js';

/** The version that a request names, by `If-Match` or body; null when it names none. Throws when they disagree. */
export function resolveExpectedVersion(inHeader: number | null, inBody: number | undefined): number | null {
  if (inHeader !== null && inBody !== undefined && inHeader !== inBody) {
    throw invalidFields([{ path: 'body.version', message: 'Name the same version as If-Match, or only one of them.' }]);
  }
  return inHeader ?? inBody ?? null;
}

/**
 * The answer to a writer who came too late: which version is there now, and to name it where theirs was. A failed
 * `If-Match` is 412, as HTTP has it; a version in the body is 409.
 */
export function versionConflict(version: number, { inHeader }: { inHeader: boolean }): ProblemError {
  const named = inHeader ? `If-Match: "${version}"` : `version ${version}`;
  const detail =
    version === 0
      ? `There is nothing here at this time: send ${named} to begin.`
      : `Another version is here now: read it, make your change anew, and send it with ${named}.`;
  return new ProblemError(inHeader ? 'revision_conflict' : 'version_conflict', detail, { currentVersion: version });
}
