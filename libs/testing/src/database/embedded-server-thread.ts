import { listenTcp, openEmbeddedDatabase, type EmbeddedDatabase, type TcpListener } from '@annals/storage';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadCommand } from './embedded-server.js';

/** Longer than any wait inside a test: a timeout here would hide which test blocks the database. */
const LOCK_TIMEOUT_MS = 30_000;

// Opening leaves several copies of the database as garbage, which V8 does not collect while this thread is idle.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Several small databases are open concurrently: 16 MB of buffers instead of 128 halve the memory of each. */
const SMALL = { shared_buffers: '16MB' };

let current: { database: EmbeddedDatabase; listener: TcpListener } | undefined;
let snapshot = workerData as SharedArrayBuffer | undefined;

parentPort!.on('message', (command: ThreadCommand) => {
  void run(command).then(
    (answer) => parentPort!.postMessage(answer),
    (error: Error) => parentPort!.postMessage({ error: error.stack ?? error.message } satisfies ThreadAnswer),
  );
});

async function run(command: ThreadCommand): Promise<ThreadAnswer> {
  if (command === 'dump') return { snapshot: await dump() };
  if (typeof command === 'object') return writeFolder(command.folder);
  await close();
  if (command === 'stop') return {};
  const database = await openEmbeddedDatabase({
    location: 'memory',
    settings: SMALL,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    // The current user loses the connection; the next `open` creates a new database.
    onCrash: (error) => void process.stderr.write(`${String(error.cause)}\n${error.message}\n`),
    ...startOf(snapshot),
  });
  current = { database, listener: await listenTcp(database, 0) };
  collectGarbage();
  return { port: current.listener.port };
}

/** A Blob does not accept shared memory, so the bytes are copied. */
function startOf(bytes: SharedArrayBuffer | undefined): { snapshot?: Blob } {
  return bytes === undefined ? {} : { snapshot: new Blob([new Uint8Array(bytes).slice()]) };
}

async function writeFolder(folder: string): Promise<ThreadAnswer> {
  const database = await openEmbeddedDatabase({ location: { folder }, ...startOf(snapshot) });
  await database.close();
  return {};
}

async function dump(): Promise<SharedArrayBuffer> {
  const bytes = await (await current!.database.dump()).arrayBuffer();
  snapshot = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(snapshot).set(new Uint8Array(bytes));
  return snapshot;
}

async function close(): Promise<void> {
  await current?.listener.close();
  await current?.database.close();
  current = undefined;
}
