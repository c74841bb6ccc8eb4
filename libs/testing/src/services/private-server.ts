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
  /** Stops all its processes where they are: connections stay open, and nothing answers until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Runs commands of a shell on the machine of the server, as its user: PostgreSQL's programs are in the path, its data
   * folder is `$DATA`, a folder for other files `$FILES`. Two servers see each other's folders. Not in Docker.
   */
  shell(text: string, variables?: Readonly<Record<string, string>>): Promise<ShellAnswer>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

interface ShellAnswer {
  readonly status: number | null;
  readonly output: string;
}

/** A temporary Prometheus. Its folder holds `prometheus.yml` and what that names. */
export interface PrivatePrometheus {
  readonly url: string;
  /** Path of its folder on this machine. */
  readonly folder: string;
  /** Lets it read its configuration and rules again; throws with its answer when it refuses them. */
  reload(): Promise<void>;
  /** Runs promtool; `{folder}` in an argument is its folder, as promtool sees it. */
  promtool(...args: string[]): Promise<{ readonly status: number | null; readonly output: string }>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

type ServerKind = 'postgres' | 'pgbouncer' | 'redis' | 'prometheus';

const instanceScript = path.resolve(import.meta.dirname, '../../../../scripts/services/instance.mjs');

/** Starts a PostgreSQL with pgvector available and the default configuration (about a second). */
export function startPrivatePostgres(): Promise<PrivateServer> {
  return startPrivateServer('postgres');
}

export interface PgbouncerFiles {
  /** Its sections `databases` and `pgbouncer`; address, port and `auth_file` are those of the test. */
  readonly settings: string;
  /** Lines of users and passwords. */
  readonly users: string;
}

/** Starts a PgBouncer. Not in Docker. */
export function startPrivatePgbouncer({ settings, users }: PgbouncerFiles): Promise<PrivateServer> {
  return startPrivateServer('pgbouncer', { 'settings.ini': settings, 'userlist.txt': users });
}

/** Starts a Valkey or Redis without persistence: it is empty after `restart`. */
export function startPrivateRedis(): Promise<PrivateServer> {
  return startPrivateServer('redis');
}

/** Starts a Prometheus that scrapes nothing yet. */
export async function startPrivatePrometheus(): Promise<PrivatePrometheus> {
  const { answer, send, stop } = await startInstance('prometheus');
  const { url, folder } = answer;
  if (!url || !folder) throw new Error('The private prometheus did not print its URL and folder.');
  return {
    url,
    folder,
    async reload() {
      const response = await fetch(`${url}/-/reload`, { method: 'POST' });
      if (!response.ok) throw new Error(`Prometheus refuses its configuration: ${await response.text()}`);
    },
    async promtool(...args) {
      const { status = null, output = '' } = await send(`promtool ${JSON.stringify(args)}`);
      return { status, output };
    },
    stop,
  };
}

async function startPrivateServer(
  kind: ServerKind,
  files: Readonly<Record<string, string>> = {},
): Promise<PrivateServer> {
  const { answer, send, stop } = await startInstance(kind, files);
  const { url, port } = answer;
  if (!url || !port) throw new Error(`The private ${kind} did not print its URL and port.`);
  const command = async (line: string): Promise<void> => void (await send(line));
  return {
    url,
    port,
    kill9: () => command('kill9'),
    restart: () => command('restart'),
    pause: () => command('pause'),
    resume: () => command('resume'),
    async shell(text, variables = {}) {
      const { status = null, output = '' } = await send(`shell ${JSON.stringify([text, variables])}`);
      return { status, output };
    },
    stop,
  };
}

async function startInstance(kind: ServerKind, files: Readonly<Record<string, string>> = {}) {
  // The script ends its server when its stdin is closed, so that even a killed test process leaves none behind.
  const args = [instanceScript, kind, JSON.stringify(files)];
  const instanceProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: instanceProcess.stdout })[Symbol.asyncIterator]();
  const answer = await readAnswer(lines, kind);
  const send = (command: string): Promise<Answer> => {
    instanceProcess.stdin.write(`${command}\n`);
    return readAnswer(lines, kind);
  };
  return { answer, send, stop: () => stopInstance(instanceProcess) };
}

interface Answer {
  url?: string;
  port?: number;
  folder?: string;
  /** Of promtool and of shells. */
  status?: number | null;
  output?: string;
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
