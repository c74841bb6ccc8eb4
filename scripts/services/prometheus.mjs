import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startAndWait, stopProcess } from './processes.mjs';

const READY_TIMEOUT_MS = 30_000;
const CONFIG_FILE = 'prometheus.yml';

/** A Prometheus server on a host, loopback only; its data folder also holds its configuration and rules. */
export const prometheus = {
  title: 'Prometheus',

  /** @param {number} port */
  url: (port) => `http://127.0.0.1:${port}`,

  /** Creates the data folder with a configuration that scrapes nothing, unless it has one. */
  prepare(host, name) {
    if (!host.succeeds('prometheus', ['--version']))
      throw new Error(
        'Prometheus with promtool is needed. Install the package prometheus, or run `npm run services install` again.',
      );
    host.createData(name);
    const config = path.join(host.folderOf(name), CONFIG_FILE);
    if (!existsSync(config)) writeFileSync(config, 'scrape_configs: []\n');
  },

  /** Starts the server; resolves to its process id once it answers. */
  async start(host, name, port, logDescriptor) {
    const data = host.createData(name);
    const flags = {
      'config.file': path.join(data, CONFIG_FILE),
      'storage.tsdb.path': path.join(data, 'tsdb'),
      'web.listen-address': `127.0.0.1:${port}`,
      'web.enable-lifecycle': true,
      'log.level': 'warn',
    };
    const args = Object.entries(flags).map(([flag, value]) => (value === true ? `--${flag}` : `--${flag}=${value}`));
    return startAndWait({
      title: this.title,
      spawn: () => host.spawn('prometheus', args, logDescriptor),
      answers: () => this.answers(host, port),
      timeoutMs: READY_TIMEOUT_MS,
    });
  },

  async answers(_host, port) {
    try {
      return (await fetch(`${this.url(port)}/-/ready`)).ok;
    } catch {
      return false;
    }
  },

  stop: (pid) => stopProcess(pid, 'SIGTERM'),
};
