import net from 'node:net';
import { startAndWait, stopProcess } from './processes.mjs';

const READY_TIMEOUT_MS = 20_000;
const PING_TIMEOUT_MS = 1_000;

/** A Valkey (or Redis) server on a host: loopback only, without persistence, without eviction. */
export const redis = {
  title: 'Redis',

  /** @param {number} port */
  url: (port) => `redis://127.0.0.1:${port}`,

  prepare(host, name) {
    host.createData(name);
  },

  /** Starts the server; resolves to its process id once it answers. */
  async start(host, name, port, logDescriptor) {
    const settings = { port, bind: '127.0.0.1', dir: host.createData(name), save: '', appendonly: 'no' };
    // BullMQ loses jobs when keys may be evicted.
    const args = Object.entries({ ...settings, 'maxmemory-policy': 'noeviction' });
    const flags = args.flatMap(([key, value]) => [`--${key}`, `${value}`]);
    return startAndWait({
      title: this.title,
      spawn: () => host.spawn(host.redisServer, flags, logDescriptor),
      answers: () => this.answers(host, port),
      timeoutMs: READY_TIMEOUT_MS,
    });
  },

  answers: (_host, port) => ping(port),

  stop: (pid) => stopProcess(pid, 'SIGTERM'),
};

function ping(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const finish = (answered) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(PING_TIMEOUT_MS, () => finish(false));
    socket.once('data', (answer) => finish(answer.toString().startsWith('+PONG')));
    socket.once('error', () => finish(false));
    // Another program may listen on the port and close the connection.
    socket.once('close', () => finish(false));
  });
}
