#!/usr/bin/env node
import { SystemClock } from '@annals/domain';
import { parseArguments, USAGE } from './cli/parse-arguments.js';
import { runDoctor } from './doctor.js';
import { renderFinding, renderJson, renderSummary } from './report/render-report.js';

/** EX_USAGE of sysexits.h. */
const EXIT_CODE_USAGE = 64;

const wanted = parseArguments(process.argv.slice(2));
if (wanted === null) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(EXIT_CODE_USAGE);
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { findings, spentMicroUsd, exitCode } = await runDoctor({
  env: process.env,
  isOffline: wanted.isOffline,
  clock: new SystemClock(),
  signal: new AbortController().signal,
  tell: (finding) => {
    if (!wanted.isJson) say(renderFinding(finding));
  },
});
say(wanted.isJson ? renderJson(findings, spentMicroUsd) : `\n${renderSummary(findings)}`);
process.exitCode = exitCode;
