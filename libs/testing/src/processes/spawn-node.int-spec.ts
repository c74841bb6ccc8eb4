import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { waitUntil } from '../waiting/wait-until.js';
import { spawnNode } from './spawn-node.js';

const HOOKS = pathToFileURL(path.resolve(import.meta.dirname, '../../../../scripts/test/source-hooks.mjs')).href;
const SPAWN_NODE = pathToFileURL(path.resolve(import.meta.dirname, 'spawn-node.ts')).href;

const LISTENER = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ pid: process.pid, port: server.address().port }));
  });`;
/** A process that starts the listener with `spawnNode` and forwards its output. */
const STARTER = `
  import { registerSourceHooks } from ${JSON.stringify(HOOKS)};
  registerSourceHooks();
  const { spawnNode } = await import(${JSON.stringify(SPAWN_NODE)});
  spawnNode(['-e', ${JSON.stringify(LISTENER)}]).stdout.pipe(process.stdout);`;

describe('spawnNode', () => {
  it('starts a process that ends with its parent, even when the parent is killed', async () => {
    const starter = spawn(process.execPath, ['--input-type=module', '-e', STARTER], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
    const { pid, port } = JSON.parse(line) as { pid: number; port: number };
    expect(await isListening(port)).toBe(true);
    starter.kill('SIGKILL');
    try {
      await waitUntil(async () => !(await isListening(port)), { describe: 'it has ended' });
    } catch (error) {
      process.kill(pid, 'SIGKILL');
      throw error;
    }
  });

  it('starts a process that ends by itself when it has nothing left to do', async () => {
    expect(await once(spawnNode(['-e', '']), 'close')).toEqual([0, null]);
  });
});

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
