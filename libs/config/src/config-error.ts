export interface ConfigProblem {
  readonly variable: string;
  /** One message that names the variable and says what to do; never its value. */
  readonly message: string;
}

/** The environment is invalid. The message has one line per problem, for the operator who starts the process. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(problems.map(({ message }) => message).join('\n'));
  }
}
