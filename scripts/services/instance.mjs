#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { startPrivateInstance } from './private-instance.mjs';

// Runs one temporary server until stdin is closed: `instance.mjs postgres|pgbouncer|redis|prometheus`, for
// PgBouncer with its files as JSON. Prints a JSON line when it is ready,
// then executes the lines `kill9`, `restart`, `pause`, `resume`, `stop`, `shell <JSON array of text and variables>` and
// `promtool <JSON array of arguments>`, and prints a JSON line after each. Removes its data when it
// ends, so that a test process that dies leaves nothing behind.
const kind = process.argv[2];
if (kind !== 'postgres' && kind !== 'pgbouncer' && kind !== 'redis' && kind !== 'prometheus')
  throw new Error('Give the server as argument: postgres, pgbouncer, redis or prometheus.');

const instance = await startPrivateInstance(kind, JSON.parse(process.argv[3] ?? '{}'));
const { kill9, restart, pause, resume, stop } = instance;
const commands = { kill9, restart, pause, resume, stop };
printJson({ url: instance.url, port: instance.port, folder: instance.folder });

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.stdin.destroy());
for await (const line of createInterface({ input: process.stdin })) {
  printJson(await execute(line));
  if (line === 'stop') break;
}
// A paused server ends only when it goes on.
await instance.resume().catch(() => undefined);
await instance.stop();
instance.remove();
process.exit(0);

async function execute(command) {
  try {
    if (command.startsWith('shell ')) return instance.shell(...JSON.parse(command.slice('shell '.length)));
    if (command.startsWith('promtool ')) return instance.promtool(JSON.parse(command.slice('promtool '.length)));
    if (!Object.hasOwn(commands, command)) throw new Error(`Unknown command ${command}.`);
    await commands[command]();
    return { done: command };
  } catch (error) {
    return { error: error.message };
  }
}

function printJson(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
