import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { measuredDurationsFile } from './duration-reporter.mjs';
import { durationsFile } from './longest-first.mjs';

// Run after `npm test` or `npm run test:services`: records the durations of its specs, for the order in which they
// start.
const root = path.resolve(import.meta.dirname, '../..');
/** Specs below this start in any order. In seconds. */
const MIN_RECORDED_SECONDS = 1;

const durations = existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : {};
for (const profile of ['embedded', 'services']) {
  const measured = measuredDurationsFile(profile);
  if (existsSync(measured))
    durations[profile] = sortByDuration({
      ...keepExisting(durations[profile]),
      ...JSON.parse(readFileSync(measured, 'utf8')),
    });
}
writeFileSync(durationsFile, `${JSON.stringify(durations, null, 2)}\n`);

/** Recorded durations of specs that still exist, since a run may include only some of them. */
function keepExisting(known = {}) {
  return Object.fromEntries(Object.entries(known).filter(([file]) => existsSync(path.join(root, file))));
}

function sortByDuration(byFile) {
  const entries = Object.entries(byFile).filter(([, seconds]) => seconds >= MIN_RECORDED_SECONDS);
  return Object.fromEntries(entries.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
