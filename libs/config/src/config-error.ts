export interface ConfigProblem {
  readonly variable: string;
  /** One sentence that names the variable and says what to do; never its value. */
  readonly sentence: string;
}

/** The environment cannot be used. The message has one line per problem and is meant for the person who starts it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(problems.map(({ sentence }) => sentence).join('\n'));
  }
}
