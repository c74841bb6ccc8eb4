import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../frame/load.ts';
import { log } from '../frame/log.ts';
import { summarize as summarizeTimes } from '../frame/statistics.ts';
import { queryAll } from './query.ts';
import { queryBaseline, BASELINES } from './baselines.ts';
import { readDataSet } from './data-set.ts';
import { ingest } from './ingest.ts';
import { formatReport, type Side, summarize } from './report.ts';
import { onEmbedded, onServices, type Server } from './server.ts';
import { withStandIns } from './stand-ins.ts';

const CHATS = path.join(import.meta.dirname, 'assistant-chats.json');
const USAGE = `Usage: npm run bench:locomo -- <file.json> [--services] [--stand-ins] [--name "label of this run"]
       npm run bench:locomo -- --chats

Measures how much of the evidence for questions \`memory.query\` returns over REST. bench/README.md describes the file
format; \`--chats\` uses our own conversations with an assistant. The server inherits the environment's variables, so that
another embedding model or a reranker can be measured in the same way.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    services: { type: 'boolean', default: false },
    'stand-ins': { type: 'boolean', default: false },
    chats: { type: 'boolean', default: false },
    name: { type: 'string', default: 'annals' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const file = positionals[0] ?? (values.chats ? CHATS : undefined);
if (values.help || file === undefined) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 1);
}

const { dataset, conversations } = readDataSet(path.resolve(process.env.INIT_CWD ?? '.', file));
const profile = values.services ? 'services' : 'embedded';
const run = values.services ? onServices : onEmbedded;
const measure = async ({ url, apiKey }: Server) => {
  const client = new ApiClient(url, apiKey);
  const startedMs = performance.now();
  const messageIds = await ingest(client, conversations);
  log(`${messageIds.size} messages are stored after ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  const answered = await queryAll(client, conversations, messageIds);
  client.close();
  return answered;
};
const ours = values['stand-ins'] ? await withStandIns((env) => run(env, measure)) : await run({}, measure);
const sides: Side[] = [{ name: `${values.name} (REST, ${profile})`, results: ours.results }];
for (const [name, make] of Object.entries(BASELINES)) {
  sides.push({ name, results: await queryBaseline(conversations, make) });
}
const rows = sides.flatMap(summarize);

const results = path.join(import.meta.dirname, '../results');
mkdirSync(results, { recursive: true });
const output = path.join(results, `locomo-${new Date().toISOString().replaceAll(':', '-')}.json`);
writeFileSync(output, `${JSON.stringify({ dataset, profile, rows }, null, 2)}\n`);
process.stdout.write(formatReport(rows));
const { p50, p95 } = summarizeTimes(ours.samplesMs);
process.stdout.write(
  `\n${dataset}: ${p50.toFixed(1)} ms per question (p50), ${p95.toFixed(1)} ms (p95). JSON: ${path.relative(process.cwd(), output)}\n`,
);
