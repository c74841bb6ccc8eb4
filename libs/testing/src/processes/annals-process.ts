import path from 'node:path';
import { waitUntil } from '../waiting/wait-until.js';
import { findFreePort } from './find-free-port.js';
import { TEST_METRICS_TOKEN } from './test-secrets.js';
import { findProgram } from './find-program.js';
import { CapturedOutput, detachProcess, type NodeProcess, spawnNode } from './spawn-node.js';

export type AppName = 'gateway' | 'extraction' | 'persistence' | 'tom-insight' | 'consolidation-worker' | 'standalone';
export type Variables = Readonly<Record<string, string>>;

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 90_000;
const HEALTH_CHECK_TIMEOUT_MS = 5_000;

/** Variables of the test run's environment that would change the behaviour of a process. */
const STRIPPED_VARIABLES = /^(ANNALS_|MEMORY_LLM_|OTEL_|DATABASE_URL$|REDIS_URL$|NODE_OPTIONS$|NODE_ENV$|VITEST)/;

/** One process of an app, from its build, on a port that stays the same over restarts. */
export class AnnalsProcess {
  readonly output = new CapturedOutput();
  private child: NodeProcess | undefined;
  /** Settles once the process has ended and all its output has been read. */
  private ended: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly app: AppName,
    readonly port: number,
    private readonly env: Variables,
    private readonly root: string,
  ) {}

  /** Prepares a process without starting it. `root`: of the build of another release. */
  static async prepare(app: AppName, env: Variables, root = ROOT): Promise<AnnalsProcess> {
    return new AnnalsProcess(app, await findFreePort(), env, root);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Starts the process without waiting for it. `extra` overrides the variables it was prepared with. */
  launch(extra: Variables = {}): void {
    if (this.isRunning) throw new Error(`The ${this.app} is already running.`);
    const env = { ...this.env, ...extra };
    const program = `apps/${this.app}/dist/main.js`;
    const main = this.root === ROOT ? findProgram(program, env) : path.join(this.root, program);
    const child = spawnNode([...nodeFlags(env), main], {
      cwd: this.root,
      env: {
        ...inheritedVariables(),
        ANNALS_HTTP_PORT: `${this.port}`,
        ANNALS_HEALTH_PORT: `${this.port}`,
        ANNALS_METRICS_TOKEN: TEST_METRICS_TOKEN,
        ...env,
      },
    });
    this.output.follow(child.stdout, child.stderr);
    detachProcess(child);
    this.child = child;
    this.ended = new Promise((resolve) => child.once('close', resolve));
  }

  async start(extra: Variables = {}): Promise<void> {
    this.launch(extra);
    await this.waitReady();
  }

  /** Waits for readiness. Throws with the last lines of the process when it ends or the timeout (90 s) is reached. */
  async waitReady(): Promise<void> {
    await this.waitForAnswer('/health/ready', 'is ready');
  }

  /** Waits until the process answers the liveness check. */
  async waitAlive(): Promise<void> {
    await this.waitForAnswer('/health/live', 'is alive');
  }

  /** Sends SIGKILL: nothing is finished or flushed. */
  async kill9(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Shuts it down gracefully; returns the exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Waits until it ends by itself; returns the exit code. */
  async waitForExit(): Promise<number | null> {
    await within(this.ended, START_TIMEOUT_MS, `the ${this.app} to end`);
    return this.child?.exitCode ?? null;
  }

  private async waitForAnswer(route: string, what: string): Promise<void> {
    try {
      await waitUntil(async () => !this.isRunning || (await this.answers(route)), {
        describe: `the ${this.app} ${what}`,
        timeoutMs: START_TIMEOUT_MS,
        intervalMs: 50,
      });
      if (!this.isRunning) throw new Error(`The ${this.app} ended with code ${(await this.waitForExit()) ?? 'none'}.`);
    } catch (cause) {
      throw new Error(`The ${this.app} did not start. Its last lines:\n${this.output.tail}`, { cause });
    }
  }

  private async answers(route: string): Promise<boolean> {
    const answer = await fetch(this.url + route, { signal: AbortSignal.timeout(HEALTH_CHECK_TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (this.isRunning) child?.kill(signal);
    await within(this.ended, STOP_TIMEOUT_MS, `the ${this.app} to end`).catch((error: unknown) => {
      child?.kill('SIGKILL');
      throw new Error(`Its last lines:\n${this.output.tail}`, { cause: error });
    });
    return child?.exitCode ?? null;
  }
}

/** That of this process: of workers of specs, vitest.config.mjs chooses it. */
const YOUNG_GENERATION = process.execArgv.filter((flag) => flag.includes('semi-space-size'));

/** Telemetry instruments modules as they load, so it is imported before the app, as in deployments. */
function nodeFlags(env: Variables): string[] {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return YOUNG_GENERATION;
  return [...YOUNG_GENERATION, '--import', path.join(ROOT, 'libs/observability/dist/otel.js')];
}

function inheritedVariables(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !STRIPPED_VARIABLES.test(name)));
}

async function within<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Timed out after ${timeoutMs} ms waiting for ${what}.`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
