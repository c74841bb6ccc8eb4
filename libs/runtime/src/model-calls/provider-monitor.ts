import type { Clock, Rng } from '@annals/domain';
import type { LLMProvider, ProviderInspection } from '@annals/llm-core';
import type { Logger, LogProvider, Metrics } from '@annals/observability';

const INTERVAL_MS = 60_000;
/** Jitter as a part of the interval, so that the processes of a fleet do not inspect a provider at the same time. */
const SPREAD = 0.2;
const INSPECTION_TIMEOUT_MS = 10_000;

/** The last known status of a provider. */
export interface ProviderStatus {
  readonly provider: string;
  readonly model: string;
  /** Undefined until the first inspection or call. */
  readonly usable: boolean | undefined;
  /** A sentence that says what to do. */
  readonly problem: string | undefined;
  /** Epoch ms of the inspection, or of the answered call. */
  readonly seenAt: number | undefined;
}

interface WatchedProvider {
  readonly provider: LLMProvider;
  status: ProviderStatus;
}

interface MonitorDependencies {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'set'>;
}

/**
 * Inspects remote providers in the background and stores the results, for health and metrics. A provider that answered
 * a call within the last minute is not inspected; an inspection costs nothing. The monitor admits or refuses no calls:
 * the circuit breaker does.
 */
export class ProviderMonitor {
  private readonly watched: WatchedProvider[] = [];
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: MonitorDependencies) {}

  /** Providers inside the process are always available and are not watched. */
  watch(provider: LLMProvider): void {
    if (!provider.getCapabilities().remote) return;
    const { name, model } = provider;
    const status = { provider: name, model, usable: undefined, problem: undefined, seenAt: undefined };
    this.watched.push({ provider, status });
  }

  /** The last known status of each provider. */
  get statuses(): readonly ProviderStatus[] {
    return this.watched.map(({ status }) => status);
  }

  /** Records that a call was answered, so the provider is usable. */
  recordAnswer(provider: string, model: string): void {
    for (const watched of this.watched) {
      if (watched.status.provider !== provider || watched.status.model !== model) continue;
      this.update(watched, { usable: true });
    }
  }

  start(): void {
    if (this.watched.length === 0) return;
    this.running = this.check().then(() => this.schedule());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  /** Inspects all providers that have not answered recently. Never throws. */
  async check(): Promise<void> {
    const now = this.deps.clock.now();
    const due = this.watched.filter(({ status: { usable, seenAt = 0 } }) => !usable || now - seenAt >= INTERVAL_MS);
    await Promise.all(due.map((watched) => this.inspect(watched)));
  }

  private schedule(): void {
    if (this.stopping.signal.aborted) return;
    const waitMs = INTERVAL_MS * (1 + (this.deps.rng.nextFloat() * 2 - 1) * SPREAD);
    this.timer = setTimeout(() => {
      this.running = this.check().then(() => this.schedule());
    }, waitMs);
    this.timer.unref();
  }

  private async inspect(watched: WatchedProvider): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(INSPECTION_TIMEOUT_MS)]);
    const seen = await watched.provider.inspect(signal);
    if (!this.stopping.signal.aborted) this.update(watched, seen);
  }

  private update(watched: WatchedProvider, { usable, problem }: Pick<ProviderInspection, 'usable' | 'problem'>): void {
    const { logger, metrics, clock } = this.deps;
    const before = watched.status;
    const { provider, model } = before;
    watched.status = { provider, model, usable, problem, seenAt: clock.now() };
    metrics.set('memory_llm_provider_up', usable ? 1 : 0, { provider, model });
    // A provider that is usable from the start is not logged.
    if (usable === (before.usable ?? true)) return;
    logger[usable ? 'info' : 'warn']('provider_health_change', {
      provider: provider as LogProvider,
      model,
      usable,
      problem,
    });
  }
}
