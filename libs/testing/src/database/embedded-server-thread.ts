import { listenTcp, openEmbeddedDatabase, type EmbeddedDatabase, type TcpDoor } from '@annals/storage';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadCommand } from './embedded-server.js';

/** Longer than any wait inside a test: here a timeout would hide which test holds the database. */
const LOCK_TIMEOUT_MS = 30_000;

let current: { database: EmbeddedDatabase; door: TcpDoor } | undefined;
let snapshot = workerData as SharedArrayBuffer | undefined;

parentPort!.on('message', (command: ThreadCommand) => {
  void run(command).then(
    (answer) => parentPort!.postMessage(answer),
    (error: Error) => parentPort!.postMessage({ error: error.stack ?? error.message } satisfies ThreadAnswer),
  );
});

async function run(command: ThreadCommand): Promise<ThreadAnswer> {
  if (command === 'dump') return { snapshot: await dump() };
  await close();
  if (command === 'stop') return {};
  const database = await openEmbeddedDatabase({
    place: 'memory',
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    // Whoever uses it loses the connection; the next one to come gets a new database.
    onCrash: (error) => void process.stderr.write(`${String(error.cause)}\n${error.message}\n`),
    // A Blob does not take shared memory.
    ...(snapshot === undefined ? {} : { snapshot: new Blob([new Uint8Array(snapshot).slice()]) }),
  });
  current = { database, door: await listenTcp(database, 0) };
  return { port: current.door.port };
}

async function dump(): Promise<SharedArrayBuffer> {
  const bytes = await (await current!.database.dump()).arrayBuffer();
  snapshot = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(snapshot).set(new Uint8Array(bytes));
  return snapshot;
}

async function close(): Promise<void> {
  await current?.door.close();
  await current?.database.close();
  current = undefined;
}
