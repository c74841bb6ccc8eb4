#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readSettings } from './mcp/read-settings.js';
import { serve } from './mcp/serve.js';
import { HELP, readArguments } from './read-arguments.js';

// Of `mcp`, whatever is written to the standard output that is no message breaks the connection.
const invocation = readArguments(process.argv.slice(2));

if ('refusal' in invocation) refuse(invocation.refusal);
else if (invocation.action === 'help') process.stdout.write(HELP);
else if (invocation.action === 'version') process.stdout.write(`${readVersion()}\n`);
else await startBridge();

async function startBridge(): Promise<void> {
  const settings = readSettings(process.env);
  if ('refusal' in settings) refuse(settings.refusal);
  else await serve(settings, process);
}

function refuse(why: string): void {
  process.stderr.write(`annals-sdk: ${why}\n`);
  process.exitCode = 2;
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
