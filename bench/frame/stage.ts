import { type BenchPlace, openPlace } from './place.ts';
import { type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from './service-process.ts';
import type { SuiteOptions } from './suite.ts';

/** A fresh place, and the service processes that run on it. */
export interface Stage {
  readonly place: BenchPlace;
  startGateway(env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** A worker; `delayMs` is how long the stub model of extraction takes. */
  startWorker(
    name: 'extraction' | 'persistence',
    options: { readonly concurrency: number; readonly delayMs?: number },
  ): Promise<ServiceProcess>;
}

/** Runs `work` on a stage of its own and takes everything down after it. */
export async function onStage<T>(options: SuiteOptions, work: (stage: Stage) => Promise<T>): Promise<T> {
  const place = await openPlace(options.servers);
  const processes: ServiceProcess[] = [];
  const start = async (service: Omit<ServiceProcessOptions, 'profileFolder'>) => {
    const env = { ...place.serviceEnv, ...service.env };
    const started = await startServiceProcess({ ...service, env, profileFolder: options.profileFolder });
    processes.unshift(started);
    return started;
  };
  try {
    return await work({
      place,
      startGateway: (env = {}) => start({ script: 'apps/gateway/dist/main.js', env, portVariable: 'ANNALS_HTTP_PORT' }),
      startWorker: (name, { concurrency, delayMs = 0 }) =>
        start({
          script: 'bench/processes/worker.ts',
          args: [name, `${delayMs}`],
          env: { [`ANNALS_${name.toUpperCase()}_CONCURRENCY`]: `${concurrency}` },
          portVariable: 'ANNALS_HEALTH_PORT',
        }),
    });
  } finally {
    for (const running of processes) await running.stop();
    await place.close();
  }
}
