import type { Fragment, Variables } from './fragment.js';
import { type Config, type FragmentName, FRAGMENTS } from './fragments.js';
import type { Variable } from './variable.js';

interface ConfigProblem {
  readonly variable: string;
  /** One message that names the variable and says what to do; never its value. */
  readonly message: string;
}

/** The environment is invalid. The message has one line per problem, for the operator who starts the process. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly problems: readonly ConfigProblem[],
    options?: ErrorOptions,
  ) {
    super(problems.map(({ message }) => message).join('\n'), options);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the fragments a service needs from `env` into one frozen object: `loadConfig(['http'], env).http.port`.
 * Throws a ConfigError that names every wrong or missing variable, and none of their values.
 */
export function loadConfig<const N extends FragmentName>(names: readonly N[], env: Environment): Config<N> {
  const problems = new Map<string, ConfigProblem>();
  const entries = names.map((name) => [name, parseFragment(FRAGMENTS[name], env, problems)]);
  if (problems.size > 0) throw new ConfigError([...problems.values()]);
  return Object.freeze(Object.fromEntries(entries));
}

/** The variables that `loadConfig` reads for these fragments, each once. */
export function listVariables(names: readonly FragmentName[]): string[] {
  return [
    ...new Set(
      names.flatMap((name) =>
        Object.values<Variable<unknown>>(FRAGMENTS[name].variables).map((variable) => variable.name),
      ),
    ),
  ];
}

/** Every variable that some process reads. */
export function listAllVariables(): string[] {
  return listVariables(Object.keys(FRAGMENTS) as FragmentName[]);
}

function parseFragment(
  fragment: Fragment<Variables, object>,
  env: Environment,
  problems: Map<string, ConfigProblem>,
): object | undefined {
  const addProblem = (property: string, expectation: string) => {
    const variable = fragment.variables[property]!.name;
    problems.set(variable, { variable, message: `${variable} ${expectation}.` });
  };
  const before = problems.size;
  const values: Record<string, unknown> = {};
  for (const [property, variable] of Object.entries(fragment.variables)) {
    values[property] = parseVariable(variable, env[variable.name], (expectation) => addProblem(property, expectation));
  }
  if (problems.size > before) return undefined;
  return Object.freeze(fragment.build(values, addProblem));
}

function parseVariable(
  variable: Variable<unknown>,
  given: string | undefined,
  addProblem: (expectation: string) => void,
): unknown {
  // Compose and shells pass an unset variable on as an empty one.
  const text = given === undefined || given === '' ? variable.default : given;
  if (text === undefined) {
    if (variable.whenMissing === undefined) addProblem(`is missing: set it to ${variable.expects}`);
    return undefined;
  }
  const result = variable.schema.safeParse(text);
  if (!result.success) addProblem(`must be ${variable.expects}`);
  return result.data;
}

/** EX_CONFIG of sysexits.h: the exit code of every process when its configuration is wrong, so that a supervisor can distinguish a wrong configuration from a crash. */
export const EXIT_CODE_CONFIG = 78;

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
