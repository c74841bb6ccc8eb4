import type { StructuredOutputMode } from '../../provider/llm-provider.js';

/** How to build a request to an endpoint: the strongest mode not yet rejected, and the parameters to omit. */
export interface RequestPlan {
  readonly mode: StructuredOutputMode;
  readonly rejected: ReadonlySet<string>;
}

/** What an endpoint rejected: the mode of structured output, or one optional parameter. */
export type Rejection = { readonly kind: 'mode' } | { readonly kind: 'parameter'; readonly parameter: string };

/** In ms: a rejection arrives immediately, but an answer may take long. */
const MAX_DISCOVERY_WAIT_MS = 2_000;

/**
 * The capabilities of one endpoint, discovered from its rejections and cached for the lifetime of the process. A
 * rejected request is free, so the next one is sent immediately. Calls that start during the first discovery wait for
 * it briefly, so that a burst is not rejected as a whole.
 */
export class EndpointCapabilities {
  private readonly modes: StructuredOutputMode[];
  private readonly rejected = new Set<string>();
  private answered = false;
  private discovery: Promise<void> | undefined;

  /** `modes` are the API's, strongest first; the last one is never rejected. */
  constructor(modes: readonly StructuredOutputMode[]) {
    this.modes = [...modes];
  }

  /** The mode of structured output in use; `unknown` until the first response. */
  get mode(): StructuredOutputMode | 'unknown' {
    return this.answered ? this.currentMode : 'unknown';
  }

  /**
   * Sends until the endpoint accepts the request or fails with an error that is not a rejection.
   * @param findRejection returns the part of the plan that an error rejects, if any
   */
  async send<T>(
    attempt: (plan: RequestPlan) => Promise<T>,
    findRejection: (error: unknown, plan: RequestPlan) => Rejection | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.answered) return this.sendAndAdapt(attempt, findRejection);
    if (this.discovery) {
      await waitAtMost(this.discovery, MAX_DISCOVERY_WAIT_MS, signal);
      return this.sendAndAdapt(attempt, findRejection);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.discovery = promise;
    try {
      return await this.sendAndAdapt(attempt, findRejection);
    } finally {
      this.discovery = undefined;
      resolve();
    }
  }

  private async sendAndAdapt<T>(
    attempt: (plan: RequestPlan) => Promise<T>,
    findRejection: (error: unknown, plan: RequestPlan) => Rejection | undefined,
  ): Promise<T> {
    for (;;) {
      const plan: RequestPlan = { mode: this.currentMode, rejected: new Set(this.rejected) };
      try {
        const result = await attempt(plan);
        this.answered = true;
        return result;
      } catch (error) {
        const rejection = findRejection(error, plan);
        if (!rejection || !this.applyRejection(rejection, plan)) throw error;
      }
    }
  }

  private get currentMode(): StructuredOutputMode {
    return this.modes[0] ?? 'text';
  }

  /** Applies a rejection; false if nothing is left to omit, which ends the attempts. */
  private applyRejection(rejection: Rejection, plan: RequestPlan): boolean {
    if (rejection.kind === 'parameter') {
      if (plan.rejected.has(rejection.parameter)) return false;
      this.rejected.add(rejection.parameter);
      return true;
    }
    // Concurrent calls are rejected together: the mode is lowered once for all of them.
    if (plan.mode !== this.currentMode) return true;
    if (this.modes.length === 1) return false;
    this.modes.shift();
    return true;
  }
}

const knownEndpoints = new Map<string, EndpointCapabilities>();

/** The capabilities of a base URL and model, shared by all provider objects of the process. */
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

/** An error response to a request, with the server's message. */
export interface RejectedRequest {
  status: number | undefined;
  message: string;
}

/** An optional parameter of a request and the pattern of its names in error messages. */
export interface OptionalParameter {
  parameter: string;
  names: RegExp;
}

const REJECTING_STATUSES = new Set([400, 404, 422]);

/** Servers quote the request in error messages: a parameter name counts only together with one of these phrases. */
const COMPLAINT =
  /not (?:\w+ )?(?:support|permit|allow|accept|recogni[sz]|implement|enabled|available|valid)|unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|must be|extra (?:inputs?|fields?)|forbidden|deprecated|failed to/i;

/** The parameter is supported but its value is too large: omitting the parameter would not help. */
const SIZE = /too (?:large|long|big|high|many)|exceed|at most|context (?:length|window|size)/i;

/**
 * Parses which optional part of a request a server rejects, if any.
 * @param sent the optional parameters of the request, most specific name first
 * @param modePattern names that servers use for structured output
 */
export function parseRejection(
  { status, message }: RejectedRequest,
  plan: RequestPlan,
  sent: readonly OptionalParameter[],
  modePattern: RegExp,
): Rejection | undefined {
  if (status === undefined || !REJECTING_STATUSES.has(status)) return undefined;
  if (!COMPLAINT.test(message) || SIZE.test(message)) return undefined;
  const named = sent.find(({ parameter, names }) => !plan.rejected.has(parameter) && names.test(message));
  if (named) return { kind: 'parameter', parameter: named.parameter };
  return plan.mode !== 'text' && modePattern.test(message) ? { kind: 'mode' } : undefined;
}
