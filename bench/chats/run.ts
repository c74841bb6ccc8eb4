import { parseArgs } from 'node:util';
import { searchByBm25WithContext, BASELINES } from '../locomo/baselines.ts';
import { measureRecall } from '../locomo/measure.ts';
import { formatReport } from '../locomo/report.ts';
import { writeResults } from '../locomo/write-results.ts';
import { askInEachForm } from './ask.ts';
import { type Part, readChats } from './chat.ts';
import { summarizeChats } from './report.ts';

const USAGE = `Usage: npm run bench:chats -- --development [--services] [--stand-ins] [--name "label of this run"]
       npm run bench:chats -- --held-out

Measures how much of the evidence for questions about chats with an assistant \`memory.query\` returns over REST, beside
BM25 over the same messages. --held-out is for changes that are finished: bench/chats/README.md.`;

const { values } = parseArgs({
  options: {
    development: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
    services: { type: 'boolean', default: false },
    'stand-ins': { type: 'boolean', default: false },
    name: { type: 'string', default: 'annals' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help || values.development === values['held-out']) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 1);
}

const part: Part = values['held-out'] ? 'held-out' : 'development';
const profile = values.services ? 'services' : 'embedded';
const chats = readChats(part).map(askInEachForm);
const questions = chats.flatMap((chat) => chat.questions);
const measured = await measureRecall(chats, {
  profile,
  standIns: values['stand-ins'],
  name: values.name,
  baselines: { 'BM25 with context': searchByBm25WithContext, ...BASELINES },
});
const rows = measured.sides.flatMap((side) => summarizeChats(side, questions));
const output = writeResults(`chats-${part}`, { dataset: `chats, ${part}`, profile, rows });
process.stdout.write(formatReport(rows));
process.stdout.write(
  `\n${part}: ${chats.length} chats, ${questions.length} questions, ${measured.p50.toFixed(1)} ms per question (p50), ` +
    `${measured.p95.toFixed(1)} ms (p95). JSON: ${output}\n`,
);
