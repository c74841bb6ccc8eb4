#!/usr/bin/env node
import { say } from './bootstrap/say.mjs';
import { verbs } from './bootstrap/verbs.mjs';

// Everything that `npm start`, `npm test` and the other root scripts need, on a machine that has only Node 20 and npm.
// No file under scripts/bootstrap may import a package: it runs before anything is installed.
const [verb, ...args] = process.argv.slice(2);

if (Object.hasOwn(verbs, verb ?? '')) {
  try {
    process.exitCode = await verbs[verb](args);
  } catch (error) {
    say(error.message);
    process.exitCode = error.exitCode ?? 1;
  }
} else {
  say(`Unknown command ${verb ?? ''}. Use one of: ${Object.keys(verbs).join(', ')}.`);
  process.exitCode = 2;
}
