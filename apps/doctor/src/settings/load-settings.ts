import { type Config, type Environment, type FragmentName, loadConfig } from '@annals/config';

/** `embedded`: one process with its database in a folder. `distributed`: services with PostgreSQL and Redis. */
export type Profile = 'embedded' | 'distributed';

/** What the services of both profiles read. */
const COMMON = [
  'http',
  'limits',
  'batching',
  'relay',
  'workers',
  'llm',
  'pricing',
  'budgets',
  'circuit',
  'salience',
  'multiFact',
  'embeddings',
  'recall',
  'rerank',
  'redaction',
  'categories',
  'checkpoints',
  'retention',
  'logging',
  'telemetry',
  'lifecycle',
] as const satisfies FragmentName[];
const EMBEDDED = [...COMMON, 'embedded'] as const satisfies FragmentName[];
const DISTRIBUTED = [...COMMON, 'secrets', 'database', 'redis', 'queue'] as const satisfies FragmentName[];
/** Only the migration reads it, which runs by itself and before everything else. */
type CheckedElsewhere = 'migration';

/** A fragment that is in none of the lists stops the build here: somebody has to decide whether the doctor reads it. */
type CoveredFragment = (typeof EMBEDDED)[number] | (typeof DISTRIBUTED)[number] | CheckedElsewhere;
true satisfies [Exclude<FragmentName, CoveredFragment>] extends [never] ? true : Exclude<FragmentName, CoveredFragment>;

export type CommonConfig = Config<(typeof COMMON)[number]>;
export type Settings =
  | { readonly profile: 'embedded'; readonly config: Config<(typeof EMBEDDED)[number]> }
  | { readonly profile: 'distributed'; readonly config: Config<(typeof DISTRIBUTED)[number]> };

/** With the address of a server it is the distributed profile; without any, one process keeps everything. */
export function detectProfile(env: Environment): Profile {
  return env['ANNALS_DATABASE_URL'] || env['ANNALS_REDIS_URL'] ? 'distributed' : 'embedded';
}

/** Everything the services of the profile read. @throws ConfigError with all that is wrong */
export function loadSettings(profile: Profile, env: Environment): Settings {
  return profile === 'embedded'
    ? { profile, config: loadConfig(EMBEDDED, env) }
    : { profile, config: loadConfig(DISTRIBUTED, env) };
}
