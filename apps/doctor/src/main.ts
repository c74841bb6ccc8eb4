#!/usr/bin/env node
import { SystemClock } from '@annals/domain';
import { runBackup } from './backup/backup.js';
import { runRestore } from './backup/restore.js';
import {
  type BackupArguments,
  type DeletionsArguments,
  type DoctorArguments,
  parseArguments,
  type RestoreArguments,
  USAGE,
  type VaultArguments,
  type VerifyArguments,
} from './cli/parse-arguments.js';
import { runDeletions } from './deletions/deletions.js';
import { runDoctor } from './doctor.js';
import { type Finding, renderFinding, renderJson, renderSummary } from './report.js';
import { renderVaultJson, renderVaultSummary, runVaultCheck, runVaultOff } from './vault/vault.js';
import { renderVerificationJson, renderVerificationSummary, runVerify } from './verify/verify.js';

/** EX_USAGE of sysexits.h. */
const EXIT_CODE_USAGE = 64;

const clock = new SystemClock();
const { env } = process;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const printFindingUnless = (isJson: boolean) => (finding: Finding) => {
  if (!isJson) printLine(renderFinding(finding));
};

async function doctor({ isOffline, isJson }: DoctorArguments): Promise<number> {
  const { signal } = new AbortController();
  const diagnosis = await runDoctor({ env, isOffline, clock, signal, emit: printFindingUnless(isJson) });
  const { findings, spentMicroUsd } = diagnosis;
  printLine(isJson ? renderJson(findings, spentMicroUsd) : `\n${renderSummary(findings)}`);
  return diagnosis.exitCode;
}

async function verify(request: VerifyArguments): Promise<number> {
  const verification = await runVerify({ env, request, clock, emit: printFindingUnless(request.isJson) });
  printLine(request.isJson ? renderVerificationJson(verification) : renderVerificationSummary(verification));
  return verification.exitCode;
}

async function vault(request: VaultArguments): Promise<number> {
  const options = { env, clock, emit: printFindingUnless(request.isJson) };
  if (request.action === 'check') {
    const checked = await runVaultCheck({ ...options, request });
    printLine(request.isJson ? renderVaultJson(checked) : renderVaultSummary(checked));
    return checked.exitCode;
  }
  const { findings, exitCode } = await runVaultOff(options);
  if (request.isJson) printLine(JSON.stringify({ done: exitCode === 0, findings }));
  return exitCode;
}

async function runPlain(request: DeletionsArguments | BackupArguments | RestoreArguments): Promise<number> {
  const options = { env, clock, emit: printFindingUnless(request.isJson) };
  const { findings, exitCode } = await (request.command === 'deletions'
    ? runDeletions({ ...options, request })
    : request.command === 'backup'
      ? runBackup({ ...options, request })
      : runRestore({ ...options, request }));
  if (request.isJson) printLine(JSON.stringify({ done: exitCode === 0, findings }));
  return exitCode;
}

// The main process of a container gets only the signals that it asks for.
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const)
  process.once(signal, () => process.exit(128 + number));

async function run(args: readonly string[]): Promise<number> {
  const request = parseArguments(args);
  if (request === null) {
    process.stderr.write(`${USAGE}\n`);
    return EXIT_CODE_USAGE;
  }
  if (request.command === 'doctor') return doctor(request);
  if (request.command === 'vault') return vault(request);
  return request.command === 'verify' ? verify(request) : runPlain(request);
}

// Not by `process.exit`, which can hang while V8 compiles (https://github.com/nodejs/node/issues/54918).
process.exitCode = await run(process.argv.slice(2));
