import type { StructuredOutputMode } from '../../provider/llm-provider.js';

/** How a request to an endpoint is built: the strongest mode not refused so far, and the parameters it will not take. */
export interface RequestPlan {
  readonly mode: StructuredOutputMode;
  readonly refused: ReadonlySet<string>;
}

/** What an endpoint would not take: its mode of structured output, or one optional parameter. */
export type Refusal = { readonly kind: 'mode' } | { readonly kind: 'parameter'; readonly parameter: string };

/** A refusal comes at once, an answer may take long: nobody waits longer than this for another call's finding. */
const FINDING_PATIENCE_MS = 2_000;

/**
 * What one endpoint was found to take, learned from its refusals and kept as long as the process. A refused request
 * costs nothing, so the next one goes out at once. Calls that start while the first is finding out wait for it a moment,
 * so that a burst does not hit the same wall together.
 */
export class EndpointTraits {
  private readonly modes: StructuredOutputMode[];
  private readonly refused = new Set<string>();
  private answered = false;
  private finding: Promise<void> | undefined;

  /** `modes` are the API's, strongest first; the last one is never refused. */
  constructor(modes: readonly StructuredOutputMode[]) {
    this.modes = [...modes];
  }

  /** How answers are held to their shape; `unknown` until one came. */
  get mode(): StructuredOutputMode | 'unknown' {
    return this.answered ? this.currentMode : 'unknown';
  }

  /**
   * Sends until the endpoint takes the request or fails for a reason that nothing can be learned from.
   * @param readRefusal which part of the plan an error complains about, if it does
   */
  async send<T>(
    attempt: (plan: RequestPlan) => Promise<T>,
    readRefusal: (error: unknown, plan: RequestPlan) => Refusal | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.answered) return this.sendLearning(attempt, readRefusal);
    if (this.finding) {
      await waitAtMost(this.finding, FINDING_PATIENCE_MS, signal);
      return this.sendLearning(attempt, readRefusal);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finding = promise;
    try {
      return await this.sendLearning(attempt, readRefusal);
    } finally {
      this.finding = undefined;
      resolve();
    }
  }

  private async sendLearning<T>(
    attempt: (plan: RequestPlan) => Promise<T>,
    readRefusal: (error: unknown, plan: RequestPlan) => Refusal | undefined,
  ): Promise<T> {
    for (;;) {
      const plan: RequestPlan = { mode: this.currentMode, refused: new Set(this.refused) };
      try {
        const result = await attempt(plan);
        this.answered = true;
        return result;
      } catch (error) {
        const refusal = readRefusal(error, plan);
        if (!refusal || !this.learn(refusal, plan)) throw error;
      }
    }
  }

  private get currentMode(): StructuredOutputMode {
    return this.modes[0] ?? 'text';
  }

  /** False when there is nothing left to give up, which ends the attempts. */
  private learn(refusal: Refusal, plan: RequestPlan): boolean {
    if (refusal.kind === 'parameter') {
      if (plan.refused.has(refusal.parameter)) return false;
      this.refused.add(refusal.parameter);
      return true;
    }
    // Calls in flight together are refused together: the mode goes down once for all of them.
    if (plan.mode !== this.currentMode) return true;
    if (this.modes.length === 1) return false;
    this.modes.shift();
    return true;
  }
}

const knownEndpoints = new Map<string, EndpointTraits>();

/** The traits of a base URL and model, the same for every provider object of the process. */
export function findEndpointTraits(
  baseUrl: string,
  model: string,
  modes: readonly StructuredOutputMode[],
): EndpointTraits {
  const key = `${baseUrl} ${model}`;
  const known = knownEndpoints.get(key) ?? new EndpointTraits(modes);
  knownEndpoints.set(key, known);
  return known;
}

async function waitAtMost(promise: Promise<void>, patienceMs: number, signal: AbortSignal): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  signal.addEventListener('abort', () => resolve(), { once: true });
  try {
    await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
  }
}
