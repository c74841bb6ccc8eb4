import { type DynamicModule, Global, Module, type ValueProvider } from '@nestjs/common';
import type { Infrastructure } from './infrastructure.js';
import {
  CLOCK,
  CONFIG,
  DATABASE,
  IDS,
  INFRASTRUCTURE,
  LOGGER,
  MAINTENANCE,
  METRICS,
  MODEL_CALLS,
  QUEUE_BACKEND,
  QUEUES,
  RELAY,
  RNG,
  SECRETS,
  WORKERS,
} from './tokens.js';

/** Makes the infrastructure and the service's configuration injectable everywhere. */
@Global()
@Module({})
export class InfrastructureModule {
  static forRoot(infrastructure: Infrastructure, config: object): DynamicModule {
    const providers = listProviders(infrastructure, config);
    return { module: InfrastructureModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}

function listProviders(infrastructure: Infrastructure, config: object): ValueProvider[] {
  return [
    { provide: INFRASTRUCTURE, useValue: infrastructure },
    { provide: CONFIG, useValue: config },
    { provide: CLOCK, useValue: infrastructure.clock },
    { provide: RNG, useValue: infrastructure.rng },
    { provide: IDS, useValue: infrastructure.ids },
    { provide: LOGGER, useValue: infrastructure.logger },
    { provide: METRICS, useValue: infrastructure.metrics },
    { provide: SECRETS, useValue: infrastructure.secrets },
    { provide: DATABASE, useValue: infrastructure.database },
    { provide: QUEUE_BACKEND, useValue: infrastructure.queueBackend },
    { provide: QUEUES, useValue: infrastructure.queues },
    { provide: RELAY, useValue: infrastructure.relay },
    { provide: MODEL_CALLS, useValue: infrastructure.modelCalls },
    { provide: MAINTENANCE, useValue: infrastructure.maintenance },
    { provide: WORKERS, useValue: infrastructure.workers },
  ];
}
