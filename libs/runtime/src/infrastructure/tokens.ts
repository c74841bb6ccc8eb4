/** Injection tokens of InfrastructureModule: `@Inject(DATABASE) private readonly database: Database`. */
export const INFRASTRUCTURE = Symbol('Infrastructure');
/** The service's configuration, as `loadConfig` returned it. */
export const CONFIG = Symbol('Config');
export const CLOCK = Symbol('Clock');
export const RNG = Symbol('Rng');
export const IDS = Symbol('IdGenerator');
export const LOGGER = Symbol('Logger');
export const METRICS = Symbol('Metrics');
/** The runner that modules add their maintenance jobs to. */
export const MAINTENANCE = Symbol('MaintenanceRunner');
export const SECRETS = Symbol('Secrets');
export const DATABASE = Symbol('Database');
export const QUEUE_BACKEND = Symbol('QueueBackend');
export const QUEUES = Symbol('OutboxQueues');
export const RELAY = Symbol('OutboxRelay');
/** `ModelCalls`, or null in a process that calls no remote model. */
export const MODEL_CALLS = Symbol('ModelCalls');
export const WORKERS = Symbol('WorkerRegistry');
