/** Labels shared by several groups of metrics. */
export const PROVIDER = { bounded: 'the providers in the code: local, claude, openai, hashed, rerank' } as const;
export const MODEL = { bounded: 'the models named in the configuration' } as const;
export const REASON = { bounded: 'the reasons in the code' } as const;
