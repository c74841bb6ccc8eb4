import { ConfigError } from './config-error.js';
import type { Config, FragmentName } from './fragments.js';
import { type Environment, loadConfig } from './load-config.js';

/** EX_CONFIG of sysexits.h, so that a supervisor can distinguish a wrong configuration from a crash. */
const EXIT_CODE_CONFIG = 78;

/** For main.ts: on an invalid environment, exits with code 78 and one sentence per problem on standard error. */
export function loadConfigOrExit<const N extends FragmentName>(
  names: readonly N[],
  env: Environment = process.env,
): Config<N> {
  return exitOnConfigError(() => loadConfig(names, env));
}

/**
 * The same for errors that only appear when the configuration is used: a file that a variable names, a model without a
 * price.
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
