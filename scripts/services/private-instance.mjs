import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  hasDocker,
  killContainer,
  pauseContainer,
  removeContainer,
  restartContainer,
  resumeContainer,
  runPromtool,
  startContainer,
  startPrometheusContainer,
} from './docker.mjs';
import { findHost } from './host.mjs';
import { inServices } from './paths.mjs';
import { pgbouncer } from './pgbouncer.mjs';
import { postgres } from './postgres.mjs';
import { prometheus } from './prometheus.mjs';
import { findFreePort } from './ports.mjs';
import { killProcess, pauseProcess, resumeProcess } from './processes.mjs';
import { redis } from './redis.mjs';

const SERVERS = { postgres, pgbouncer, redis, prometheus };

/**
 * A temporary server that keeps its port and data over `kill9` and `restart`; `pause` stops it where it is until
 * `resume`; `stop` ends it, `remove` deletes its data. `folder`: path of its data on this machine; `shell` runs commands
 * beside the server, with its data folder as `$DATA` and a folder for backups as `$FILES`; `promtool` runs on that folder.
 * @typedef {{ url: string, port: number, folder?: string, kill9: () => Promise<void>, restart: () => Promise<void>,
 *   pause: () => Promise<void>, resume: () => Promise<void>, stop: () => Promise<void>,
 *   shell?: (text: string, variables: Record<string, string>) => { status: number | null,
 *   output: string }, promtool: (args: string[]) => { status: number | null, output: string },
 *   remove: () => void }} PrivateInstance
 */

/**
 * @param {'postgres' | 'pgbouncer' | 'redis' | 'prometheus'} kind
 * @param {Record<string, string>} [files] of a PgBouncer, by name
 * @returns {Promise<PrivateInstance>}
 */
export async function startPrivateInstance(kind, files) {
  const port = await findFreePort();
  const instance = hasDocker() ? await startInContainer(kind, port) : await startOnHost(kind, port, files);
  return { url: SERVERS[kind].url(port), port, ...instance };
}

async function startOnHost(kind, port, files) {
  const server = SERVERS[kind];
  const host = findHost();
  const name = `private/${kind}-${randomUUID()}`;
  mkdirSync(inServices('logs'), { recursive: true });
  const logFile = inServices('logs', `${kind}-${port}.log`);
  const log = openSync(logFile, 'w');
  server.prepare(host, name, files);
  let pid = await server.start(host, name, port, log);
  return {
    folder: host.folderOf(name),
    shell: (text, variables) =>
      host.runShell(text, { DATA: host.createData(name), FILES: host.createData(filesOf(name)), ...variables }),
    promtool: (args) =>
      host.tryRun(
        'promtool',
        args.map((arg) => arg.replace('{folder}', host.createData(name))),
      ),
    kill9: () => killProcess(pid),
    async restart() {
      await server.stop(pid);
      pid = await server.start(host, name, port, log);
    },
    pause: async () => pauseProcess(pid),
    resume: async () => resumeProcess(pid),
    stop: () => server.stop(pid),
    remove() {
      host.removeData(name);
      host.removeData(filesOf(name));
      closeSync(log);
      rmSync(logFile, { force: true });
    },
  };
}

/** A folder beside the data of a server, for its backups. */
function filesOf(name) {
  return `${name}-files`;
}

async function startInContainer(kind, port) {
  const name = `annals-private-${kind}-${randomUUID()}`;
  if (kind === 'pgbouncer') throw new Error('A private PgBouncer runs on servers of this machine only, not in Docker.');
  if (kind === 'prometheus') return startPrometheusInContainer(name, port);
  await startContainer(kind, name, port);
  return {
    shell: () => ({ status: 1, output: 'Commands run on servers of this machine only, not in Docker.' }),
    kill9: async () => killContainer(name),
    restart: () => restartContainer(kind, name),
    pause: async () => pauseContainer(name),
    resume: async () => resumeContainer(name),
    stop: async () => removeContainer(name),
    remove: () => removeContainer(name),
  };
}

async function startPrometheusInContainer(name, port) {
  const folder = inServices('data/private', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'prometheus.yml'), 'scrape_configs: []\n');
  await startPrometheusContainer(name, port, folder);
  return {
    folder,
    promtool: (args) =>
      runPromtool(
        name,
        args.map((arg) => arg.replace('{folder}', '/data')),
      ),
    kill9: async () => killContainer(name),
    restart: async () => startPrometheusContainer(name, port, folder),
    pause: async () => pauseContainer(name),
    resume: async () => resumeContainer(name),
    stop: async () => removeContainer(name),
    remove() {
      removeContainer(name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
