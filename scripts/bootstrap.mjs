#!/usr/bin/env node
import { report } from './bootstrap/report.mjs';
import { commands } from './bootstrap/commands.mjs';

// Everything that `npm start`, `npm test` and the other root scripts need, on a machine that has only Node 20 and npm.
// No file under scripts/bootstrap may import a package: it runs before anything is installed.
const [command, ...args] = process.argv.slice(2);

if (Object.hasOwn(commands, command ?? '')) {
  try {
    process.exitCode = await commands[command](args);
  } catch (error) {
    report(error.message);
    process.exitCode = error.exitCode ?? 1;
  }
} else {
  report(`Unknown command ${command ?? ''}. Use one of: ${Object.keys(commands).join(', ')}.`);
  process.exitCode = 2;
}
