#!/usr/bin/env node
import { SystemClock } from '@annals/domain';
import { parseArguments, USAGE, type WantedDoctor, type WantedVerify } from './cli/parse-arguments.js';
import { runDoctor } from './doctor.js';
import type { Finding } from './report/finding.js';
import { renderFinding, renderJson, renderSummary } from './report/render-report.js';
import { renderVerificationJson, renderVerificationSummary } from './verify/render-verification.js';
import { runVerify } from './verify/verify.js';

/** EX_USAGE of sysexits.h. */
const EXIT_CODE_USAGE = 64;

const clock = new SystemClock();
const { env } = process;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const tellUnless = (isJson: boolean) => (finding: Finding) => {
  if (!isJson) say(renderFinding(finding));
};

async function doctor({ isOffline, isJson }: WantedDoctor): Promise<number> {
  const { signal } = new AbortController();
  const diagnosis = await runDoctor({ env, isOffline, clock, signal, tell: tellUnless(isJson) });
  const { findings, spentMicroUsd } = diagnosis;
  say(isJson ? renderJson(findings, spentMicroUsd) : `\n${renderSummary(findings)}`);
  return diagnosis.exitCode;
}

async function verify(wanted: WantedVerify): Promise<number> {
  const verification = await runVerify({ env, wanted, clock, tell: tellUnless(wanted.isJson) });
  say(wanted.isJson ? renderVerificationJson(verification) : renderVerificationSummary(verification));
  return verification.exitCode;
}

const wanted = parseArguments(process.argv.slice(2));
if (wanted === null) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(EXIT_CODE_USAGE);
}
process.exitCode = wanted.command === 'doctor' ? await doctor(wanted) : await verify(wanted);
