import { ConfigError } from './config-error.js';
import type { Config, FragmentName } from './fragments.js';
import { type Environment, loadConfig } from './load-config.js';

/** EX_CONFIG of sysexits.h, so that a supervisor can tell a wrong configuration from a crash. */
const EXIT_CODE_CONFIG = 78;

/** For main.ts: a wrong environment stops the process with one sentence per problem on standard error. */
export function loadConfigOrExit<const N extends FragmentName>(
  names: readonly N[],
  env: Environment = process.env,
): Config<N> {
  return exitOnConfigError(() => loadConfig(names, env));
}

/**
 * The same for what is made of the configuration and can only then be seen to be wrong: a file a variable names, a model
 * without a price.
 */
export function exitOnConfigError<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CODE_CONFIG);
  }
}
