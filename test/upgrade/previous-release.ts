import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SchemaContract } from './schema-contract.js';

export const PREVIOUS_RELEASE_FILE = path.resolve(import.meta.dirname, 'previous-release.json');

/** The release before this one, whose processes go on while this one is rolled out. */
interface PreviousRelease {
  /** The commit that it was built from. */
  readonly commit: string;
  readonly contract: SchemaContract;
}

export function readPreviousRelease(): PreviousRelease {
  return JSON.parse(readFileSync(PREVIOUS_RELEASE_FILE, 'utf8')) as PreviousRelease;
}

/**
 * What a migration of this release takes away although the release before had it: the sentence of `findBrokenPromises`,
 * and since which release no process uses it. Empty the list when a release is recorded.
 */
export const RETIRED: Readonly<Record<string, string>> = {};
