import type { AnsweredCall, ModelCall, ModelCallResult, ModelCalls } from '@annals/runtime';

/** Model calls that know what they have cost together. */
export class CountedCalls implements ModelCalls {
  costMicroUsd = 0;
  readonly tokens = { input: 0, output: 0 };

  constructor(private readonly calls: ModelCalls) {}

  async run<T>(call: ModelCall<T>): Promise<ModelCallResult<T>> {
    const result = await this.calls.run(call);
    if (result.outcome !== 'refused') this.costMicroUsd += result.costMicroUsd;
    if (result.outcome === 'answered') this.count(result);
    return result;
  }

  readCircuit(provider: string, model: string): ReturnType<ModelCalls['readCircuit']> {
    return this.calls.readCircuit(provider, model);
  }

  private count({ usage }: AnsweredCall<unknown>): void {
    this.tokens.input += usage.inputTokens;
    this.tokens.output += usage.outputTokens;
  }
}
