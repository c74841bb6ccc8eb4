import { type DynamicModule, Global, Module, type ValueProvider } from '@nestjs/common';
import type { Infrastructure } from './infrastructure.js';

/** Injection tokens of InfrastructureModule: `@Inject(DATABASE) private readonly database: Database`. */
export const INFRASTRUCTURE = Symbol('Infrastructure');
/** The service's configuration, as `loadConfig` returned it. */
export const CONFIG = Symbol('Config');
export const CLOCK = Symbol('Clock');
export const IDS = Symbol('IdGenerator');
export const LOGGER = Symbol('Logger');
export const METRICS = Symbol('Metrics');
export const PAUSE = Symbol('Pause');
export const SECRETS = Symbol('Secrets');
export const DATABASE = Symbol('Database');
export const RELAY = Symbol('OutboxRelay');
/** `ModelCalls`, or null in a process that calls no remote model. */
export const MODEL_CALLS = Symbol('ModelCalls');

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
    { provide: IDS, useValue: infrastructure.ids },
    { provide: LOGGER, useValue: infrastructure.logger },
    { provide: METRICS, useValue: infrastructure.metrics },
    { provide: PAUSE, useValue: infrastructure.pause },
    { provide: SECRETS, useValue: infrastructure.secrets },
    { provide: DATABASE, useValue: infrastructure.database },
    { provide: RELAY, useValue: infrastructure.relay },
    { provide: MODEL_CALLS, useValue: infrastructure.modelCalls },
  ];
}
