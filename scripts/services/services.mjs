#!/usr/bin/env node
import { down, install, logs, status, up } from './commands.mjs';
import { report } from './report.mjs';

// `npm run services [up|down|status|logs|install]`: a real PostgreSQL with pgvector and a real Redis, for tests and local work.
const commands = { up, down, status, logs, install };
const command = process.argv[2] ?? 'up';

if (Object.hasOwn(commands, command)) {
  try {
    process.exitCode = (await commands[command]()) ?? 0;
  } catch (error) {
    report(error.message);
    process.exitCode = 1;
  }
} else {
  report(`Unknown command ${command}. Use one of: ${Object.keys(commands).join(', ')}.`);
  process.exitCode = 2;
}
