#!/usr/bin/env node
import { down, logs, status, up } from './verbs.mjs';
import { say } from './say.mjs';

// `npm run services [up|down|status|logs]`: a real PostgreSQL with pgvector and a real Redis, for tests and local work.
const verbs = { up, down, status, logs };
const verb = process.argv[2] ?? 'up';

if (Object.hasOwn(verbs, verb)) {
  try {
    process.exitCode = (await verbs[verb]()) ?? 0;
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
  }
} else {
  say(`Unknown command ${verb}. Use one of: ${Object.keys(verbs).join(', ')}.`);
  process.exitCode = 2;
}
