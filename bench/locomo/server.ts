import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ServiceProcess, startServiceProcess } from '../frame/service-process.ts';
import { withDeployment } from '../frame/deployment.ts';

export interface Server {
  readonly url: string;
  readonly apiKey: string;
}

type Variables = Readonly<Record<string, string>>;

const API_KEY = 'bench-key-of-a-throw-away-folder';
const UNLIMITED = {
  ANNALS_RATE_LIMIT_PER_MINUTE: '100000000',
  ANNALS_RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
  ANNALS_LOG_LEVEL: 'warn',
};
const CONCURRENCY = 4;

/** Runs `work` on one process with its own database in a fresh folder. Inherits the caller's variables. */
export function onEmbedded<T>(env: Variables, work: (server: Server) => Promise<T>): Promise<T> {
  return inFreshFolder(async (folder) => {
    const process = await startStandalone(folder, env);
    try {
      return await work(toServer(process));
    } finally {
      await process.stop();
    }
  });
}

/**
 * Like `onEmbedded`, with minds whose work waits until `startMinds`, which resolves to the server that has them: the
 * one before it has stopped then.
 */
export function onIdleMinds<T>(
  env: Variables,
  work: (server: Server, startMinds: () => Promise<Server>) => Promise<T>,
): Promise<T> {
  return inFreshFolder(async (folder) => {
    const idle = await startStandalone(folder, env, 'bench/processes/idle-minds.ts');
    let running = idle;
    try {
      return await work(toServer(idle), async () => {
        await idle.stop();
        running = await startStandalone(folder, env);
        return toServer(running);
      });
    } finally {
      await running.stop();
    }
  });
}

/** Runs `work` on gateway, extraction and persistence, with PostgreSQL and Redis. */
export function onServices<T>(env: Variables, work: (server: Server) => Promise<T>): Promise<T> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  if (!databaseUrl || !redisUrl) throw new Error('Set DATABASE_URL (a superuser) and REDIS_URL, or use `npm run`.');
  const options = { servers: { databaseUrl, redisUrl }, quick: false, profileFolder: undefined };
  return withDeployment(options, async ({ environment, startGateway, startWorker }) => {
    const gateway = await startGateway(env);
    const worker = { concurrency: CONCURRENCY, model: { kind: 'configured' as const }, env };
    await startWorker('extraction', worker);
    await startWorker('persistence', worker);
    return work({ url: gateway.url, apiKey: environment.apiKey });
  });
}

async function inFreshFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'annals-locomo-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function startStandalone(
  folder: string,
  env: Variables,
  script = 'apps/standalone/dist/main.js',
): Promise<ServiceProcess> {
  return startServiceProcess({
    name: 'standalone',
    script,
    env: { ...UNLIMITED, ...env, ANNALS_DATA_DIR: folder, ANNALS_BOOTSTRAP_KEY: API_KEY },
    portVariable: 'ANNALS_HTTP_PORT',
  });
}

function toServer({ url }: ServiceProcess): Server {
  return { url, apiKey: API_KEY };
}
