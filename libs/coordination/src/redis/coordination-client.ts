import type { Rng } from '@annals/domain';
import { Redis, type RedisOptions } from 'ioredis';
import { CoordinationUnavailableError } from '../port/coordination.js';

const INITIAL_RECONNECT_DELAY_MS = 50;
const MAX_RECONNECT_DELAY_MS = 2_000;

export interface CoordinationClientOptions {
  /** URL of the server, or ioredis options. What makes commands safe below cannot be overridden by them. */
  readonly redis: string | RedisOptions;
  readonly rng: Rng;
  /** How long a command, and the first connection, may take. */
  readonly commandTimeoutMs: number;
  /** The Lua scripts by name. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Called with each failure of the connection, repeatedly during an outage. */
  readonly onError: (error: Error) => void;
}

export type ScriptArgument = string | number;

/**
 * One connection that never waits and never repeats: a command that was on its way when the connection broke has failed,
 * since nobody knows whether it took effect and the ledger will tell. It reconnects by itself for ever.
 */
export class CoordinationClient {
  private readonly redis: Redis;
  /** Run id of the server at the other end; rejected while there is none. */
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
      retryStrategy: (attempt) => computeReconnectDelayMs(attempt, rng),
      // After a failover the old primary answers READONLY: reconnect, without sending the command again.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    };
    this.redis = typeof redis === 'string' ? new Redis(redis, safeOptions) : new Redis({ ...redis, ...safeOptions });
    for (const [name, lua] of Object.entries(options.scripts)) this.redis.defineCommand(name, { lua });
    this.redis.on('error', onError);
    // Whoever asks before the first connection waits for its outcome, which connectTimeout bounds.
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

  /** Runs a script on `keys`. `makeArguments` gets the run id of the server that will see them. */
  async run(
    script: string,
    keys: readonly string[],
    makeArguments: (runId: string) => readonly ScriptArgument[],
  ): Promise<unknown> {
    return this.execute((redis, runId) => {
      const command = (redis as unknown as Record<string, (...values: ScriptArgument[]) => Promise<unknown>>)[script];
      if (!command) throw new TypeError(`There is no script ${script}.`);
      return command.call(redis, keys.length, ...keys, ...makeArguments(runId));
    });
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

  private async execute<T>(send: (redis: Redis, runId: string) => Promise<T>): Promise<T> {
    try {
      return await send(this.redis, await this.server);
    } catch (error) {
      if (error instanceof TypeError) throw error;
      this.dropSilentConnection(error);
      throw new CoordinationUnavailableError({ cause: error });
    }
  }

  /** A server that vanished without a word (its host died) never closes the connection; only its silence tells. */
  private dropSilentConnection(error: unknown): void {
    const isSilent = error instanceof Error && error.message === 'Command timed out';
    if (isSilent && this.redis.status === 'ready') this.redis.disconnect(true);
  }

  /** Asked anew on every connection: a server that came back with old data is another run of it. */
  private async readRunId(): Promise<string> {
    const runId = /^run_id:(\S+)/m.exec(await this.redis.info('server'))?.[1];
    if (!runId) throw new Error('The server tells no run_id, so a restart of it could not be noticed.');
    return runId;
  }

  private setServer(server: Promise<string>): void {
    this.server = server;
    // Whoever asks gets the failure; when nobody does, it is no unhandled rejection.
    server.catch((error: unknown) => this.dropSilentConnection(error));
  }
}

/** Waiting time before reconnect number `attempt` (from 1): doubles up to 2 s, the upper half of it by chance. */
function computeReconnectDelayMs(attempt: number, rng: Rng): number {
  const maxMs = Math.min(INITIAL_RECONNECT_DELAY_MS * 2 ** Math.min(attempt - 1, 10), MAX_RECONNECT_DELAY_MS);
  return Math.round(maxMs * (0.5 + rng.nextFloat() / 2));
}
