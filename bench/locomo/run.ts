import path from 'node:path';
import { parseArgs } from 'node:util';
import { readDataSet } from './data-set.ts';
import { measureRecall } from './measure.ts';
import { measureMinds } from './minds/measure-minds.ts';
import { formatReport, summarize } from './report.ts';
import { writeResults } from './write-results.ts';

const CHATS = path.join(import.meta.dirname, 'assistant-chats.json');
const USAGE = `Usage: npm run bench:locomo -- <file.json> [--services] [--stand-ins] [--name "label of this run"]
       npm run bench:locomo -- <file.json> --minds
       npm run bench:locomo -- --chats

Measures how much of the evidence for questions \`memory.query\` returns over REST. bench/README.md describes the file
format; \`--chats\` uses our own conversations with an assistant. The server inherits the environment's variables, so that
another embedding model or a reranker can be measured in the same way. \`--minds\` asks before and after a full run of all
minds, on the embedded database, and checks what they made.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    services: { type: 'boolean', default: false },
    'stand-ins': { type: 'boolean', default: false },
    minds: { type: 'boolean', default: false },
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
if (values.minds && (values.services || values['stand-ins'])) {
  process.stderr.write('--minds runs on the embedded database, without stand-ins: leave out the other option.\n');
  process.exit(1);
}
await (values.minds ? reportMinds() : reportRecall());

async function reportRecall(): Promise<void> {
  const measured = await measureRecall(conversations, { profile, standIns: values['stand-ins'], name: values.name });
  const rows = measured.sides.flatMap(summarize);
  const output = writeResults('locomo', { dataset, profile, rows });
  process.stdout.write(formatReport(rows));
  process.stdout.write(
    `\n${dataset}: ${measured.p50.toFixed(1)} ms per question (p50), ${measured.p95.toFixed(1)} ms (p95). JSON: ${output}\n`,
  );
}

async function reportMinds(): Promise<void> {
  const { rows, figures } = await measureMinds(conversations, values.name);
  const output = writeResults('locomo-minds', { dataset, profile, rows, figures });
  process.stdout.write(formatReport(rows));
  const lines = Object.entries(figures).map(([name, value]) => `${name}: ${value}`);
  process.stdout.write(`\n${lines.join('\n')}\n\n${dataset}. JSON: ${output}\n`);
}
