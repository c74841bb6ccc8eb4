/** The `TokenCounter` for o200k tokens; its table is loaded when the process starts. */
export const TOKEN_COUNTER = Symbol('TokenCounter');
