import { ConfigError, type ConfigProblem } from './config-error.js';
import type { Fragment, Variables } from './fragment.js';
import { type Config, type FragmentName, FRAGMENTS } from './fragments.js';
import type { Variable } from './variable.js';

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
  return [...new Set(names.flatMap((name) => Object.keys(FRAGMENTS[name].variables)))];
}

function parseFragment(
  fragment: Fragment<Variables, object>,
  env: Environment,
  problems: Map<string, ConfigProblem>,
): object | undefined {
  const addProblem = (variable: string, expectation: string) => {
    problems.set(variable, { variable, message: `${variable} ${expectation}.` });
  };
  const before = problems.size;
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(fragment.variables)) {
    values[name] = parseVariable(variable, env[name], (expectation) => addProblem(name, expectation));
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
