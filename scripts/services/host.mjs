import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChroot, explainNoChroot } from './chroot.mjs';
import { inServices } from './paths.mjs';
import { runTool, spawnServer, succeeds } from './processes.mjs';

const SERVER_USER = 'postgres';

/**
 * An installation of PostgreSQL, pgvector and Valkey or Redis: on this machine, or in the chroot.
 * Programs of a host run as an unprivileged user, since PostgreSQL refuses to run as root.
 */
class Host {
  /** @param {{ title: string, root: string, postgresBin: string, redisServer: string, dataRoot: string }} options */
  constructor({ title, root, postgresBin, redisServer, dataRoot }) {
    this.title = title;
    this.root = root;
    this.postgresBin = postgresBin;
    this.redisServer = redisServer;
    this.dataRoot = dataRoot;
  }

  run(command, args) {
    return runTool(...this.#command(command, args), { cwd: '/' });
  }

  /**
   * Runs commands of a shell as the server user, with the programs of PostgreSQL in the path. `variables`: of its
   * environment. What may fail is in the answer.
   */
  runShell(text, variables) {
    const all = { PATH: `${this.postgresBin}:/usr/local/bin:/usr/bin:/bin`, ...variables };
    const assigned = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    return this.tryRun('env', ['-i', ...assigned, 'sh', '-euc', text]);
  }

  /** What a program that may fail writes to both of its outputs. */
  tryRun(command, args) {
    const { status, stdout, stderr } = spawnSync(...this.#command(command, args), { cwd: '/', encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  }

  succeeds(command, args) {
    return succeeds(...this.#command(command, args), { cwd: '/' });
  }

  spawn(command, args, logDescriptor) {
    return spawnServer(...this.#command(command, args), logDescriptor);
  }

  /** Creates a data folder for the server user; returns its path inside the root of the host. */
  createData(name) {
    const outside = this.folderOf(name);
    mkdirSync(outside, { recursive: true });
    if (process.getuid() === 0) chownSync(outside, this.#serverId('-u'), this.#serverId('-g'));
    chmodSync(outside, 0o700);
    return path.join(this.dataRoot, name);
  }

  /** The text of a file in a data folder, if it exists. */
  readData(name, file) {
    const outside = path.join(this.folderOf(name), file);
    return existsSync(outside) ? readFileSync(outside, 'utf8') : undefined;
  }

  removeData(name) {
    rmSync(this.folderOf(name), { recursive: true, force: true });
  }

  /** Path of a data folder on this machine. */
  folderOf(name) {
    return path.join(this.root, this.dataRoot, name);
  }

  #serverId(option) {
    return Number(this.run('id', [option]));
  }

  #command(command, args) {
    return process.getuid() === 0
      ? ['chroot', [`--userspec=${SERVER_USER}:${SERVER_USER}`, this.root, command, ...args]]
      : [command, args];
  }
}

/** This machine if both servers are installed, else the chroot, which is created if necessary. */
export function findHost() {
  const host = systemHost() ?? chrootHost();
  if (host) return host;
  throw new Error(
    `PostgreSQL with pgvector and Valkey or Redis are needed. ${explainNoChroot()} Otherwise start Docker, install the ` +
      'two servers, or set DATABASE_URL and REDIS_URL to running ones.',
  );
}

function systemHost() {
  const postgresBin = systemPostgresBin();
  const redisServer = ['valkey-server', 'redis-server'].find((name) => succeeds(name, ['--version']));
  const runnable = process.getuid() !== 0 || succeeds('id', ['-u', SERVER_USER]);
  if (!postgresBin || !redisServer || !runnable) return undefined;
  return new Host({ title: 'this machine', root: '/', postgresBin, redisServer, dataRoot: inServices('data') });
}

function systemPostgresBin() {
  if (!succeeds('pg_config', ['--version'])) return undefined;
  const readConfig = (what) => runTool('pg_config', [what]).trim();
  const hasVector = existsSync(path.join(readConfig('--sharedir'), 'extension/vector.control'));
  const hasServer = existsSync(path.join(readConfig('--bindir'), 'initdb'));
  return hasVector && hasServer ? readConfig('--bindir') : undefined;
}

function chrootHost() {
  const root = ensureChroot();
  if (!root) return undefined;
  return new Host({
    title: 'a Debian in .services/chroot',
    root,
    postgresBin: '/usr/lib/postgresql/17/bin',
    redisServer: '/usr/bin/valkey-server',
    // Inside the chroot: bind mounts are not allowed everywhere.
    dataRoot: '/var/lib/annals',
  });
}
