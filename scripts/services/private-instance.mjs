import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { hasDocker, killContainer, removeContainer, restartContainer, startContainer } from './docker.mjs';
import { findHost } from './host.mjs';
import { inServices } from './paths.mjs';
import { postgres } from './postgres.mjs';
import { findFreePort } from './ports.mjs';
import { killProcess } from './processes.mjs';
import { redis } from './redis.mjs';

const SERVERS = { postgres, redis };

/**
 * A temporary server that keeps its port and data over `kill9` and `restart`; `stop` ends it, `remove` deletes its
 * data.
 * @typedef {{ url: string, port: number, kill9: () => Promise<void>, restart: () => Promise<void>,
 *   stop: () => Promise<void>, remove: () => void }} PrivateInstance
 */

/**
 * @param {'postgres' | 'redis'} kind
 * @returns {Promise<PrivateInstance>}
 */
export async function startPrivateInstance(kind) {
  const port = await findFreePort();
  const instance = hasDocker() ? await startInContainer(kind, port) : await startOnHost(kind, port);
  return { url: SERVERS[kind].url(port), port, ...instance };
}

async function startOnHost(kind, port) {
  const server = SERVERS[kind];
  const host = findHost();
  const name = `private/${kind}-${randomUUID()}`;
  mkdirSync(inServices('logs'), { recursive: true });
  const logFile = inServices('logs', `${kind}-${port}.log`);
  const log = openSync(logFile, 'w');
  server.prepare(host, name);
  let pid = await server.start(host, name, port, log);
  return {
    kill9: () => killProcess(pid),
    async restart() {
      await server.stop(pid);
      pid = await server.start(host, name, port, log);
    },
    stop: () => server.stop(pid),
    remove() {
      host.removeData(name);
      closeSync(log);
      rmSync(logFile, { force: true });
    },
  };
}

async function startInContainer(kind, port) {
  const name = `annals-private-${kind}-${randomUUID()}`;
  await startContainer(kind, name, port);
  return {
    kill9: async () => killContainer(name),
    restart: () => restartContainer(kind, name),
    stop: async () => removeContainer(name),
    remove: () => removeContainer(name),
  };
}
