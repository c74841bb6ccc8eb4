import type { AnswerBehaviour } from './behaviour.js';
import type { FakeRequest } from './fake-request.js';
import type { FakeModel } from './known-models.js';

/** Usage that is counted and charged. `inputTokens` includes both cache figures, `outputTokens` the thinking. */
export interface CountedUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  thinkingTokens: number;
}

const BYTES_PER_TOKEN = 4;
const DEFAULT_CACHE_FROM = 1_024;

/** A substitute for a tokenizer: four bytes of UTF-8 are one token. */
export function countFakeTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Input tokens of a request: everything that the model reads. */
export function countInput(request: FakeRequest): number {
  const promptText = [request.system, ...request.userTexts].join('\n');
  return countFakeTokens(promptText) + countFakeTokens(JSON.stringify(extractSchema(request.body) ?? ''));
}

/** A prompt cache like those of the providers: the first use of a prefix writes it, later ones read it. */
export class PromptCache {
  private readonly known = new Set<string>();

  measure(request: FakeRequest, model: FakeModel | undefined): { cacheReadTokens: number; cacheWriteTokens: number } {
    const tokens = countFakeTokens(request.system);
    const isCachingRequested = request.api === 'openai' || JSON.stringify(request.body).includes('"cache_control"');
    if (!isCachingRequested || tokens < (model?.cacheFrom ?? DEFAULT_CACHE_FROM))
      return { cacheReadTokens: 0, cacheWriteTokens: 0 };
    const key = `${request.model}\n${request.system}`;
    const isKnown = this.known.has(key);
    this.known.add(key);
    return isKnown
      ? { cacheReadTokens: tokens, cacheWriteTokens: 0 }
      : { cacheReadTokens: 0, cacheWriteTokens: tokens };
  }
}

export function countUsage(
  request: FakeRequest,
  text: string,
  behaviour: AnswerBehaviour,
  cached: { cacheReadTokens: number; cacheWriteTokens: number },
): CountedUsage {
  const thinkingTokens = countFakeTokens(behaviour.thinking ?? '');
  const counted = {
    inputTokens: countInput(request),
    outputTokens: countFakeTokens(text) + thinkingTokens,
    thinkingTokens,
    ...cached,
  };
  return typeof behaviour.usage === 'object' ? { ...counted, ...behaviour.usage } : counted;
}

/** Exact charge in nano-USD. An unknown model is free. */
export function chargeUsage(usage: CountedUsage, model: FakeModel | undefined): number {
  if (!model) return 0;
  const { price } = model;
  const plain = usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens;
  return (
    plain * price.input +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite +
    usage.outputTokens * price.output
  );
}

function extractSchema(body: Readonly<Record<string, unknown>>): unknown {
  return body.output_config ?? body.response_format;
}
