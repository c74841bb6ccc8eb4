import { log } from '../frame/log.ts';
import { captureDashboards } from './dashboards/capture.ts';
import { drawDashboards } from './dashboards/draw.ts';
import { measureCapacity } from './capacity/capacity.ts';
import { describeRun } from './describe-run.ts';
import { runFaults } from './faults/run-faults.ts';
import { parseOptions, type PartName, type ReportOptions } from './options.ts';
import { writeReport } from './render/write-report.ts';
import { readResults, writeResults } from './results.ts';

// `npm run report [-- --part capacity|faults|dashboards] [--minutes 30] [--seed N]`
const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
if (!databaseUrl || !redisUrl)
  throw new Error('Set DATABASE_URL (a superuser) and REDIS_URL, or use `npm run report`.');
const servers = { databaseUrl, redisUrl };

const MINUTE_MS = 60_000;
const SCRAPE_SECONDS = 5;
const PER_SECOND = 5;

const PART_WORK: Readonly<Record<PartName, (options: ReportOptions) => Promise<void>>> = {
  async capacity() {
    const description = await describeRun(servers);
    writeResults('capacity', { ...description, run: await measureCapacity(servers) });
  },

  async faults({ seed, minutes }) {
    const description = await describeRun(servers);
    const run = await runFaults({
      seed,
      intervalMs: MINUTE_MS,
      faults: minutes,
      perSecond: PER_SECOND,
      tenants: 3,
      usersEach: 8,
      replicas: 2,
      // Of each a few minutes of the load, each of them of another length.
      budgetSteps: { deployment: 160_000, 'provider claude': 100_000, 'tenant 0': 30_000 },
      holdMs: 20_000,
      eraseEveryMs: 30_000,
      scrapeSeconds: SCRAPE_SECONDS,
      observe: (prometheus, from, to) => captureDashboards(prometheus, { from, to, scrapeSeconds: SCRAPE_SECONDS }),
    });
    writeResults('faults', { ...description, seed, minutes, perSecond: PER_SECOND, run });
    for (const { name, found, examined, examples } of run.verdicts)
      log([`${name}: ${found} of ${examined}`, ...examples].join('\n  '));
    if (run.verdicts.some(({ found }) => found > 0)) process.exitCode = 1;
  },

  dashboards: drawDashboards,
};

const options = parseOptions(process.argv.slice(2));
for (const part of ['capacity', 'faults', 'dashboards'] as const) {
  if (!options.parts.includes(part)) continue;
  log(`${part} …`);
  await PART_WORK[part](options);
}
await writeReport(readResults());
