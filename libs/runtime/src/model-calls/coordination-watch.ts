import type { Logger, Metrics } from '@annals/observability';

/** `admission`: the parts together, for a call; the others are single steps. */
export type CoordinationPart = 'admission' | 'breaker' | 'budgets';

/** Counts errors of the coordination store, and logs when it becomes unreachable and when it is reachable again. */
export class CoordinationWatch {
  private isUnavailable = false;

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Pick<Metrics, 'inc'>,
  ) {}

  /** Returns the result or rethrows the error. */
  async run<T>(part: CoordinationPart, operation: () => Promise<T>): Promise<T> {
    try {
      const answer = await operation();
      if (this.isUnavailable) {
        this.isUnavailable = false;
        this.logger.info('coordination_available');
      }
      return answer;
    } catch (error) {
      this.metrics.inc('memory_llm_coordination_errors_total', { part });
      if (!this.isUnavailable) {
        this.isUnavailable = true;
        this.logger.warn('coordination_unavailable', { error });
      }
      throw error;
    }
  }

  /** The same for optional operations: undefined when the operation failed. */
  async tryRun<T>(part: CoordinationPart, operation: () => Promise<T>): Promise<T | undefined> {
    return this.run(part, operation).catch(() => undefined);
  }
}
