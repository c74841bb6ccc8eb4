import { isInProcessTable, isAlive, startAndWait, stopProcess, waitUntil } from './processes.mjs';

const READY_TIMEOUT_MS = 60_000;
const REAP_TIMEOUT_MS = 15_000;

/** A PostgreSQL server with pgvector on a host: superuser `postgres`, loopback only, no passwords. */
export const postgres = {
  title: 'PostgreSQL',

  /** @param {number} port */
  url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,

  /** Creates the cluster unless the data folder has one. */
  prepare(host, name) {
    const data = host.createData(name);
    if (host.readData(name, 'PG_VERSION')) return;
    const args = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    host.run(`${host.postgresBin}/initdb`, [...args, `--pgdata=${data}`]);
  },

  /** Starts the server; resolves to its process id once it answers. */
  async start(host, name, port, logDescriptor) {
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300'];
    const args = ['-D', host.createData(name), ...settings.flatMap((setting) => ['-c', setting])];
    await waitForReap(host, name);
    return startAndWait({
      title: this.title,
      spawn: () => host.spawn(`${host.postgresBin}/postgres`, args, logDescriptor),
      answers: () => this.answers(host, port),
      timeoutMs: READY_TIMEOUT_MS,
    });
  },

  answers: (host, port) => host.succeeds(`${host.postgresBin}/pg_isready`, ['-q', '-h', '127.0.0.1', '-p', `${port}`]),

  // SIGINT is PostgreSQL's fast shutdown: open sessions are ended, data is written.
  stop: (pid) => stopProcess(pid, 'SIGINT'),
};

/** A killed server is a zombie until its parent reaps it, and PostgreSQL respects its lock file until then. */
async function waitForReap(host, name) {
  const previous = Number(host.readData(name, 'postmaster.pid')?.split('\n')[0]);
  if (previous && !isAlive(previous)) await waitUntil(() => !isInProcessTable(previous), REAP_TIMEOUT_MS);
}
