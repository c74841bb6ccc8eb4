import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeMachine } from './frame/machine.ts';
import type { Row } from './frame/row.ts';
import { log } from './frame/log.ts';
import type { Suite } from './frame/suite.ts';
import { formatTable } from './frame/table.ts';
import { formatProfiles } from './profiling/profile-table.ts';
import { benchAccept } from './suites/accept.ts';
import { benchChat } from './suites/chat.ts';
import { benchCheckpoints } from './suites/checkpoints.ts';
import { benchConsole } from './suites/console.ts';
import { benchEdges } from './suites/edges.ts';
import { benchAdmission } from './suites/admission.ts';
import { benchJobs } from './suites/jobs.ts';
import { benchLangGraph } from './suites/langgraph.ts';
import { benchLongTurns } from './suites/long-turns.ts';
import { benchLoop } from './suites/loop.ts';
import { benchMinds } from './suites/minds.ts';
import { benchModels } from './suites/models.ts';
import { benchPipeline } from './suites/pipeline.ts';
import { benchQueue } from './suites/queue.ts';
import { benchRecall } from './suites/recall.ts';
import { benchVault } from './suites/vault.ts';

// `npm run bench [-- suite…] [--quick] [--profile]`
const SUITES: Readonly<Record<string, Suite>> = {
  accept: benchAccept,
  chat: benchChat,
  checkpoints: benchCheckpoints,
  console: benchConsole,
  edges: benchEdges,
  admission: benchAdmission,
  jobs: benchJobs,
  langgraph: benchLangGraph,
  longturns: benchLongTurns,
  loop: benchLoop,
  minds: benchMinds,
  models: benchModels,
  pipeline: benchPipeline,
  queue: benchQueue,
  recall: benchRecall,
  vault: benchVault,
};

const args = process.argv.slice(2);
const unknown = args.filter((arg) => !Object.hasOwn(SUITES, arg) && !['--quick', '--profile'].includes(arg));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Suites: ${Object.keys(SUITES).join(', ')}.`);
const chosen = Object.keys(SUITES).filter((name) => args.includes(name));
const names = chosen.length > 0 ? chosen : Object.keys(SUITES);

const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
if (!databaseUrl || !redisUrl) throw new Error('Set DATABASE_URL (a superuser) and REDIS_URL, or use `npm run bench`.');

const results = path.join(import.meta.dirname, 'results');
const startedAt = new Date().toISOString();
const runName = startedAt.replaceAll(':', '-');
const before = describeMachine();
const rows: Row[] = [];
const profileTables: string[] = [];
for (const name of names) {
  log(`${name} …`);
  const profileFolder = args.includes('--profile') ? path.join(results, 'profiles', runName, name) : undefined;
  rows.push(
    ...(await SUITES[name]!({
      servers: { databaseUrl, redisUrl },
      quick: args.includes('--quick'),
      profileFolder,
    })),
  );
  if (profileFolder) profileTables.push(formatProfiles(profileFolder));
}
const after = describeMachine();

mkdirSync(results, { recursive: true });
const file = path.join(results, `${runName}.json`);
writeFileSync(file, `${JSON.stringify({ startedAt, before, after, rows }, null, 2)}\n`);
process.stdout.write(formatTable(rows));
for (const table of profileTables.filter(Boolean)) process.stdout.write(`\n${table}`);
process.stdout.write('\nT8 and T9 are tests: `npm run test:services -- test`.\n');
process.stdout.write(
  `Node ${before.node}, ${before.cores} cores (${before.cpu}), load ${before.load1m} before and ${after.load1m} after. ` +
    `JSON: ${path.relative(process.cwd(), file)}\n`,
);
