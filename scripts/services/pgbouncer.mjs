import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { postgres } from './postgres.mjs';
import { startAndWait, stopProcess } from './processes.mjs';

const READY_TIMEOUT_MS = 30_000;
const PROGRAM = '/usr/sbin/pgbouncer';

/**
 * A PgBouncer on a host, loopback only, with the files that it is given: `settings.ini`, whose last section is
 * `pgbouncer`, and `userlist.txt`.
 */
export const pgbouncer = {
  title: 'PgBouncer',

  /** @param {number} port */
  url: (port) => `postgres://127.0.0.1:${port}`,

  /** @param {Record<string, string>} files by their names in its data folder */
  prepare(host, name, files) {
    if (!host.succeeds(PROGRAM, ['--version']))
      throw new Error('PgBouncer is needed. Install the package pgbouncer, or run `npm run services install` again.');
    host.createData(name);
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(host.folderOf(name), file), text);
  },

  /** Starts the server; resolves to its process id once it answers. */
  async start(host, name, port, logDescriptor) {
    const data = host.createData(name);
    // At the end of its section, since what comes last applies and a second section would begin with the defaults.
    const own = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_file: `${data}/userlist.txt` };
    const lines = Object.entries(own).map(([key, value]) => `${key} = ${value}\n`);
    const text = `${host.readData(name, 'settings.ini')}\n${lines.join('')}`;
    writeFileSync(path.join(host.folderOf(name), 'pgbouncer.ini'), text);
    return startAndWait({
      title: this.title,
      spawn: () => host.spawn(PROGRAM, [`${data}/pgbouncer.ini`], logDescriptor),
      answers: () => postgres.answers(host, port),
      timeoutMs: READY_TIMEOUT_MS,
    });
  },

  stop: (pid) => stopProcess(pid, 'SIGINT'),
};
