import { type BenchEnvironment, openBenchEnvironment } from './bench-environment.ts';
import { type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from './service-process.ts';
import type { SuiteOptions } from './suite.ts';

/**
 * The model of extraction. `inside` and `remote` are a stub in the worker's own process that answers after `delayMs`:
 * `inside` is treated like the local model, `remote` like a remote one, with prompt, admission control and ledger.
 * `configured`: the model of the variables in `env`.
 */
type WorkerModel = { readonly kind: 'inside' | 'remote'; readonly delayMs: number } | { readonly kind: 'configured' };

export interface WorkerOptions {
  readonly concurrency: number;
  /** Default: `remote`, without a delay. */
  readonly model?: WorkerModel;
  readonly env?: Readonly<Record<string, string>>;
}

/** A fresh environment and the service processes in it. */
export interface BenchDeployment {
  readonly environment: BenchEnvironment;
  startGateway(env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  startWorker(name: 'extraction' | 'persistence', options: WorkerOptions): Promise<ServiceProcess>;
  /** Starts a service of minds from its own main. */
  startMinds(
    name: 'tom-insight' | 'consolidation-worker',
    env?: Readonly<Record<string, string>>,
  ): Promise<ServiceProcess>;
}

/** Runs `work` on a deployment of its own, which is removed afterwards. */
export async function withDeployment<T>(
  options: SuiteOptions,
  work: (deployment: BenchDeployment) => Promise<T>,
): Promise<T> {
  const environment = await openBenchEnvironment(options.servers);
  const processes: ServiceProcess[] = [];
  const start = async (service: Omit<ServiceProcessOptions, 'profileFolder'>) => {
    const env = { ...environment.serviceEnv, ...service.env };
    const started = await startServiceProcess({ ...service, env, profileFolder: options.profileFolder });
    processes.unshift(started);
    return started;
  };
  try {
    return await work({
      environment,
      startGateway: (env = {}) =>
        start({ name: 'gateway', script: 'apps/gateway/dist/main.js', env, portVariable: 'ANNALS_HTTP_PORT' }),
      startWorker: (name, { concurrency, model = { kind: 'remote', delayMs: 0 }, env = {} }) =>
        start({
          name,
          script: 'bench/processes/worker.ts',
          args: [name, model.kind, ...('delayMs' in model ? [`${model.delayMs}`] : [])],
          env: { ...env, [`ANNALS_${name.toUpperCase()}_CONCURRENCY`]: `${concurrency}` },
          portVariable: 'ANNALS_HEALTH_PORT',
        }),
      startMinds: (name, env = {}) =>
        start({ name, script: `apps/${name}/dist/main.js`, env, portVariable: 'ANNALS_HEALTH_PORT' }),
    });
  } finally {
    for (const running of processes) await running.stop();
    await environment.close();
  }
}
