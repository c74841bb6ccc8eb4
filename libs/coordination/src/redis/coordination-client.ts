import { computeRetryDelayMs, type Rng } from '@annals/domain';
import { Redis, type RedisOptions } from 'ioredis';
import { CoordinationUnavailableError } from '../port/coordination.js';
import { SCRIPTS, type ScriptStepName } from './scripts/build-scripts.js';

/** Doubles up to 2 s, with random jitter in its upper half. */
const RECONNECT_DELAY = { firstMs: 50, maxMs: 2_000, jitter: 0.5 };

export interface CoordinationClientOptions {
  /** URL of the server, or ioredis options. They cannot override `safeOptions` below. */
  readonly redis: string | RedisOptions;
  readonly rng: Rng;
  /** Timeout of a command, and of the first connection. */
  readonly commandTimeoutMs: number;
  /** Called with each failure of the connection, repeatedly during an outage. */
  readonly onError: (error: Error) => void;
}

export type ScriptArgument = string | number;

/** One step of the coordination, see `scripts/build-scripts.ts`. */
export interface ScriptStep<T = unknown> {
  readonly name: ScriptStepName;
  readonly keys: readonly string[];
  /** Its arguments; `runId` is that of the server that runs it. */
  readonly encode: (runId: string) => readonly ScriptArgument[];
  readonly decode: (reply: unknown) => T;
}

/**
 * One connection without offline queue and without retries: a command in flight when the connection breaks fails,
 * because it is unknown whether it took effect; the ledger decides that later. Reconnects without limit.
 */
export class CoordinationClient {
  private readonly redis: Redis;
  /** Run id of the connected server; rejected while disconnected. */
  private server: Promise<string>;

  constructor(options: CoordinationClientOptions) {
    const { redis, commandTimeoutMs, rng, onError } = options;
    const safeOptions: RedisOptions = {
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableReadyCheck: true,
      enableAutoPipelining: false,
      commandTimeout: commandTimeoutMs,
      connectTimeout: commandTimeoutMs,
      retryStrategy: (attempt) => Math.round(computeRetryDelayMs(RECONNECT_DELAY, attempt - 1, rng)),
      // After a failover the old primary answers READONLY: reconnect, without sending the command again.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    };
    this.redis = typeof redis === 'string' ? new Redis(redis, safeOptions) : new Redis({ ...redis, ...safeOptions });
    for (const [name, lua] of Object.entries(SCRIPTS)) this.redis.defineCommand(name, { lua });
    this.redis.on('error', onError);
    // Commands sent before the first connection wait for its outcome, which connectTimeout bounds.
    const first = Promise.withResolvers<string>();
    this.server = first.promise;
    first.promise.catch(() => undefined);
    this.redis.on('ready', () => {
      this.setServer(this.readRunId());
      first.resolve(this.server);
    });
    this.redis.on('close', () => {
      this.setServer(Promise.reject(new Error('The connection is broken.')));
      first.resolve(this.server);
    });
  }

  /** Runs one step as a script of its own. */
  async run<T>({ name, keys, encode, decode }: ScriptStep<T>): Promise<T> {
    return decode(await this.runScript(name, keys, encode));
  }

  /**
   * Runs the steps as one script: one round trip, atomic, until one refuses. Returns the answers of those that ran; null
   * for an answer that is `false` in Lua.
   */
  async runInOrder(steps: readonly ScriptStep[]): Promise<readonly unknown[]> {
    if (steps.length === 0) return [];
    const keys = steps.flatMap((step) => step.keys);
    const encode = (runId: string): ScriptArgument[] =>
      steps.flatMap((step) => {
        const encoded = step.encode(runId);
        return [step.name, step.keys.length, encoded.length, ...encoded];
      });
    return (await this.runScript('inOrder', keys, encode)) as unknown[];
  }

  async ping(): Promise<void> {
    await this.execute((redis) => redis.ping());
  }

  async readHashField(key: string, field: string): Promise<string | null> {
    return this.execute((redis) => redis.hget(key, field));
  }

  close(): void {
    this.redis.disconnect();
  }

  private runScript(script: string, keys: readonly string[], encode: ScriptStep['encode']): Promise<unknown> {
    return this.execute((redis, runId) => {
      const command = (redis as unknown as Record<string, (...values: ScriptArgument[]) => Promise<unknown>>)[script];
      if (!command) throw new TypeError(`There is no script ${script}.`);
      return command.call(redis, keys.length, ...keys, ...encode(runId));
    });
  }

  private async execute<T>(send: (redis: Redis, runId: string) => Promise<T>): Promise<T> {
    try {
      return await send(this.redis, await this.server);
    } catch (error) {
      if (error instanceof TypeError) throw error;
      this.dropSilentConnection(error);
      throw new CoordinationUnavailableError({ cause: error });
    }
  }

  /** A server whose host died never closes the connection: only a command timeout shows it. */
  private dropSilentConnection(error: unknown): void {
    const isSilent = error instanceof Error && error.message === 'Command timed out';
    if (isSilent && this.redis.status === 'ready') this.redis.disconnect(true);
  }

  /** Read on every connection: a server that restarted with old data has another run id. */
  private async readRunId(): Promise<string> {
    const runId = /^run_id:(\S+)/m.exec(await this.redis.info('server'))?.[1];
    if (!runId) throw new Error('INFO server of Redis returned no run_id, which is needed to detect a restart.');
    return runId;
  }

  private setServer(server: Promise<string>): void {
    this.server = server;
    // Commands await this promise and get its rejection; without commands it must not be an unhandled rejection.
    server.catch((error: unknown) => this.dropSilentConnection(error));
  }
}
