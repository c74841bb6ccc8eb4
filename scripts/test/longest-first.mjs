import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');

/** Seconds by profile and spec file, as `node scripts/test/write-durations.mjs` last recorded them. */
export const durationsFile = path.join(import.meta.dirname, 'durations.json');

/** Starts the longest specs first, so that all workers finish at about the same time. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const durations = JSON.parse(readFileSync(durationsFile, 'utf8'))[process.env.ANNALS_TEST_PROFILE ?? 'embedded'];
    const secondsOf = ({ moduleId }) => durations[path.relative(root, moduleId)] ?? 0;
    return files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
