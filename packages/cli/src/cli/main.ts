#!/usr/bin/env node
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { HELP } from '../arguments/help.js';
import { readArguments } from '../arguments/read-arguments.js';
import { readSettings } from '../client/read-settings.js';
import { runExport } from '../exporting/run-export.js';
import { Failure } from '../failure.js';
import { runImport } from '../importing/run-import.js';
import { SYSTEM } from '../system.js';

const WRONG_COMMAND = 2;
const { env, stdout, stderr } = process;
const say = (line: string) => void stderr.write(`${line}\n`);

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof Failure)) throw error;
  say(`annals: ${error.message}`);
  return error.exitCode;
});

async function run(args: readonly string[]): Promise<number> {
  const invocation = readArguments(args);
  if ('refusal' in invocation) {
    say(`annals: ${invocation.refusal}`);
    return WRONG_COMMAND;
  }
  switch (invocation.action) {
    case 'help':
      stdout.write(HELP);
      return 0;
    case 'version':
      stdout.write(`${readVersion()}\n`);
      return 0;
    case 'import':
      return runImport(invocation, readSettings(env, invocation.url), {
        ...SYSTEM,
        progress: { stream: stderr, isTerminal: stderr.isTTY },
        print: (line) => void stdout.write(`${line}\n`),
      });
    case 'export':
      return runExport(invocation, readSettings(env, invocation.url), {
        write: async (chunk) => {
          if (!stdout.write(chunk)) await once(stdout, 'drain');
        },
        print: say,
      });
  }
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
