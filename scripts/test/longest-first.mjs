import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');

/** Seconds by profile and spec file, as `node scripts/test/write-durations.mjs` last recorded them. */
export const durationsFile = path.join(import.meta.dirname, 'durations.json');

/**
 * Starts the longest specs first, so that all workers finish at about the same time. On the embedded database those come
 * before that start the whole of Annals, up to 0.9 GB for each process, and behind them those that open databases in
 * their worker, which is up to 0.9 GB larger meanwhile. `npm test` has room for that while its workers and vitest itself
 * are small: both grow by 0.3 to 0.5 GB with the specs that follow.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const profile = process.env.ANNALS_TEST_PROFILE ?? 'embedded';
    const durations = JSON.parse(readFileSync(durationsFile, 'utf8'))[profile];
    const fileOf = ({ moduleId }) => path.relative(root, moduleId);
    const secondsOf = (spec) => durations[fileOf(spec)] ?? 0;
    const earliness = (spec) => (profile === 'embedded' ? earlinessOf(fileOf(spec)) : 0);
    return files.toSorted(
      (a, b) => earliness(b) - earliness(a) || secondsOf(b) - secondsOf(a) || (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}

/** @param {string} file relative to the repository */
function earlinessOf(file) {
  if (file.endsWith('.e2e-spec.ts') || file.startsWith('test/standalone/')) return 2;
  return file.endsWith('.embedded-spec.ts') ? 1 : 0;
}
