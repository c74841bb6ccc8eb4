import type { Logger, Metrics } from '@annals/observability';

export type CoordinationPart = 'breaker' | 'rates' | 'budgets';

/** Counts what the coordination store does not answer, and logs when it goes away and when it is back. */
export class CoordinationWatch {
  private isAway = false;

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Pick<Metrics, 'inc'>,
  ) {}

  /** Passes the result or the error on. */
  async run<T>(part: CoordinationPart, operation: () => Promise<T>): Promise<T> {
    try {
      const answer = await operation();
      if (this.isAway) {
        this.isAway = false;
        this.logger.info('coordination_available');
      }
      return answer;
    } catch (error) {
      this.metrics.inc('memory_llm_coordination_errors_total', { part });
      if (!this.isAway) {
        this.isAway = true;
        this.logger.warn('coordination_unavailable', { error });
      }
      throw error;
    }
  }

  /** The same for what need not be answered: undefined when it was not. */
  async tryRun<T>(part: CoordinationPart, operation: () => Promise<T>): Promise<T | undefined> {
    return this.run(part, operation).catch(() => undefined);
  }
}
