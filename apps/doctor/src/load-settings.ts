import { type Config, type Environment, type FragmentName, loadConfig } from '@annals/config';

/** `embedded`: one process with its database in a folder. `distributed`: services with PostgreSQL and Redis. */
export type Profile = 'embedded' | 'distributed';

const COMMON = [
  'http',
  'mcp',
  'limits',
  'batching',
  'relay',
  'workers',
  'llm',
  'pricing',
  'budgets',
  'circuit',
  'salience',
  'minds',
  'consolidation',
  'multiFact',
  'procedures',
  'embeddings',
  'recall',
  'rerank',
  'redaction',
  'writing',
  'categories',
  'checkpoints',
  'retention',
  'insights',
  'personPage',
  'chat',
  'webhooks',
  'vault',
  'logging',
  'telemetry',
  'metrics',
  'lifecycle',
] as const satisfies FragmentName[];
const EMBEDDED = [...COMMON, 'embedded'] as const satisfies FragmentName[];
const DISTRIBUTED = [...COMMON, 'secrets', 'database', 'redis', 'queue'] as const satisfies FragmentName[];
/** Read only by the migration, which runs separately and before everything else. */
type CheckedElsewhere = 'migration';

/** A fragment in none of the lists is a compile error here: decide whether the doctor reads it. */
type CoveredFragment = (typeof EMBEDDED)[number] | (typeof DISTRIBUTED)[number] | CheckedElsewhere;
true satisfies [Exclude<FragmentName, CoveredFragment>] extends [never] ? true : Exclude<FragmentName, CoveredFragment>;

export type CommonConfig = Config<(typeof COMMON)[number]>;
export type Settings =
  | { readonly profile: 'embedded'; readonly config: Config<(typeof EMBEDDED)[number]> }
  | { readonly profile: 'distributed'; readonly config: Config<(typeof DISTRIBUTED)[number]> };

/** `distributed` when the address of PostgreSQL or Redis is set, otherwise `embedded`. */
export function detectProfile(env: Environment): Profile {
  return env['ANNALS_DATABASE_URL'] || env['ANNALS_REDIS_URL'] ? 'distributed' : 'embedded';
}

/** The configuration of the services of a profile. @throws ConfigError with every problem */
export function loadSettings(profile: Profile, env: Environment): Settings {
  return profile === 'embedded'
    ? { profile, config: loadConfig(EMBEDDED, env) }
    : { profile, config: loadConfig(DISTRIBUTED, env) };
}
