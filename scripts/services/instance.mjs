#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { startPrivateInstance } from './private-instance.mjs';

// One throw-away server, for as long as stdin stays open: `instance.mjs postgres|redis`. Prints a JSON line when it is
// ready, then obeys the lines `kill9`, `restart` and `stop`, answering each with a JSON line. Its end removes its data,
// so a test process that dies leaves nothing behind.
const kind = process.argv[2];
if (kind !== 'postgres' && kind !== 'redis') throw new Error('Name a server: postgres or redis.');

const instance = await startPrivateInstance(kind);
const commands = { kill9: instance.kill9, restart: instance.restart, stop: instance.stop };
answer({ url: instance.url, port: instance.port });

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.stdin.destroy());
for await (const line of createInterface({ input: process.stdin })) {
  answer(await execute(line));
  if (line === 'stop') break;
}
await instance.stop();
instance.remove();
process.exit(0);

async function execute(command) {
  try {
    if (!Object.hasOwn(commands, command)) throw new Error(`Unknown command ${command}.`);
    await commands[command]();
    return { done: command };
  } catch (error) {
    return { error: error.message };
  }
}

function answer(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
