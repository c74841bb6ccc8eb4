import type { StructuredOutputMode } from '../../provider/llm-provider.js';

/** How a request to an endpoint is built: the strongest mode not rejected so far, and the parameters it will not take. */
export interface RequestPlan {
  readonly mode: StructuredOutputMode;
  readonly rejected: ReadonlySet<string>;
}

/** What an endpoint would not take: its mode of structured output, or one optional parameter. */
export type Rejection = { readonly kind: 'mode' } | { readonly kind: 'parameter'; readonly parameter: string };

/** A rejection comes at once, an answer may take long: nobody waits longer than this for another call's finding. */
const MAX_DISCOVERY_WAIT_MS = 2_000;

/**
 * What one endpoint was found to take, learned from its rejections and kept as long as the process. A rejected request
 * costs nothing, so the next one goes out at once. Calls that start while the first is finding out wait for it a moment,
 * so that a burst is not rejected together.
 */
export class EndpointCapabilities {
  private readonly modes: StructuredOutputMode[];
  private readonly rejected = new Set<string>();
  private answered = false;
  private finding: Promise<void> | undefined;

  /** `modes` are the API's, strongest first; the last one is never rejected. */
  constructor(modes: readonly StructuredOutputMode[]) {
    this.modes = [...modes];
  }

  /** How answers are held to their shape; `unknown` until one came. */
  get mode(): StructuredOutputMode | 'unknown' {
    return this.answered ? this.currentMode : 'unknown';
  }

  /**
   * Sends until the endpoint takes the request or fails for a reason that nothing can be learned from.
   * @param parseRejection which part of the plan an error complains about, if it does
   */
  async send<T>(
    attempt: (plan: RequestPlan) => Promise<T>,
    parseRejection: (error: unknown, plan: RequestPlan) => Rejection | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.answered) return this.sendAndLearn(attempt, parseRejection);
    if (this.finding) {
      await waitAtMost(this.finding, MAX_DISCOVERY_WAIT_MS, signal);
      return this.sendAndLearn(attempt, parseRejection);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finding = promise;
    try {
      return await this.sendAndLearn(attempt, parseRejection);
    } finally {
      this.finding = undefined;
      resolve();
    }
  }

  private async sendAndLearn<T>(
    attempt: (plan: RequestPlan) => Promise<T>,
    parseRejection: (error: unknown, plan: RequestPlan) => Rejection | undefined,
  ): Promise<T> {
    for (;;) {
      const plan: RequestPlan = { mode: this.currentMode, rejected: new Set(this.rejected) };
      try {
        const result = await attempt(plan);
        this.answered = true;
        return result;
      } catch (error) {
        const rejection = parseRejection(error, plan);
        if (!rejection || !this.learn(rejection, plan)) throw error;
      }
    }
  }

  private get currentMode(): StructuredOutputMode {
    return this.modes[0] ?? 'text';
  }

  /** False when there is nothing left to give up, which ends the attempts. */
  private learn(rejection: Rejection, plan: RequestPlan): boolean {
    if (rejection.kind === 'parameter') {
      if (plan.rejected.has(rejection.parameter)) return false;
      this.rejected.add(rejection.parameter);
      return true;
    }
    // Calls in flight together are rejected together: the mode goes down once for all of them.
    if (plan.mode !== this.currentMode) return true;
    if (this.modes.length === 1) return false;
    this.modes.shift();
    return true;
  }
}

const knownEndpoints = new Map<string, EndpointCapabilities>();

/** The capabilities of a base URL and model, the same for every provider object of the process. */
export function getEndpointCapabilities(
  baseUrl: string,
  model: string,
  modes: readonly StructuredOutputMode[],
): EndpointCapabilities {
  const key = `${baseUrl} ${model}`;
  const known = knownEndpoints.get(key) ?? new EndpointCapabilities(modes);
  knownEndpoints.set(key, known);
  return known;
}

async function waitAtMost(promise: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  signal.addEventListener('abort', () => resolve(), { once: true });
  try {
    await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
  }
}
