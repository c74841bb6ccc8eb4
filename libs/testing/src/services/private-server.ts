import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A temporary server on the loopback that a test may kill; it keeps its port and data over `kill9` and `restart`. */
export interface PrivateServer {
  /** PostgreSQL: a superuser's URL of the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Sends SIGKILL; nothing is flushed. Start it again with `restart`. */
  kill9(): Promise<void>;
  /** Shuts it down gracefully if it runs, then starts it again. Resolves once it answers. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

type ServerKind = 'postgres' | 'redis';

const instanceScript = path.resolve(import.meta.dirname, '../../../../scripts/services/instance.mjs');

/** Starts a PostgreSQL with pgvector available and the default configuration (about a second). */
export function startPrivatePostgres(): Promise<PrivateServer> {
  return startPrivateServer('postgres');
}

/** Starts a Valkey or Redis without persistence: it is empty after `restart`. */
export function startPrivateRedis(): Promise<PrivateServer> {
  return startPrivateServer('redis');
}

async function startPrivateServer(kind: ServerKind): Promise<PrivateServer> {
  // The script ends its server when its stdin is closed, so that even a killed test process leaves none behind.
  const instanceProcess = spawn(process.execPath, [instanceScript, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: instanceProcess.stdout })[Symbol.asyncIterator]();
  const { url, port } = await readAnswer(lines, kind);
  if (!url || !port) throw new Error(`The private ${kind} did not print its URL and port.`);
  const sendCommand = async (command: string): Promise<void> => {
    instanceProcess.stdin.write(`${command}\n`);
    await readAnswer(lines, kind);
  };
  return {
    url,
    port,
    kill9: () => sendCommand('kill9'),
    restart: () => sendCommand('restart'),
    stop: () => stopInstance(instanceProcess),
  };
}

interface Answer {
  url?: string;
  port?: number;
  error?: string;
}

async function readAnswer(lines: AsyncIterator<string>, kind: ServerKind): Promise<Answer> {
  const line = await lines.next();
  if (line.done) throw new Error(`The private ${kind} could not be started: see the lines above.`);
  const answer = JSON.parse(line.value) as Answer;
  if (answer.error) throw new Error(answer.error);
  return answer;
}

async function stopInstance(instanceProcess: ChildProcess): Promise<void> {
  if (instanceProcess.exitCode !== null || instanceProcess.signalCode !== null) return;
  const ended = once(instanceProcess, 'exit');
  instanceProcess.stdin?.end();
  await ended;
}
