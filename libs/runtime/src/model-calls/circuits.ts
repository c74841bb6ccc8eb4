import type { CircuitBreaker, CircuitState, CircuitStatus, CircuitTransition } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { GaugeReading, Logger, LogProvider, Metrics } from '@annals/observability';
import type { CoordinationWatch } from './coordination-watch.js';
import { buildModelKey } from './model-limits.js';

export interface CircuitModel {
  readonly provider: string;
  readonly model: string;
}

interface CircuitsDependencies {
  readonly breaker: CircuitBreaker;
  readonly watch: CoordinationWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

type StateReading = Extract<GaugeReading, { metric: 'memory_llm_circuit_state' }>;

/** See docs/reference/circuit-breaker.md#values-of-the-state-gauge. */
const STATE_VALUES: Readonly<Record<CircuitState, number>> = { closed: 0, open: 1, half_open: 2 };

/**
 * The fleet's circuit breakers, with their gauge and event in this order: state, gauge, event
 * (docs/reference/circuit-breaker.md#order-of-gauge-and-event).
 */
export class Circuits {
  constructor(private readonly deps: CircuitsDependencies) {}

  /** @throws CoordinationUnavailableError */
  read(of: CircuitModel): Promise<CircuitStatus> {
    const { breaker, watch, clock } = this.deps;
    return watch.run('breaker', () => breaker.read(nameOf(of), clock.now()));
  }

  /** Collects the state of the circuits on each Prometheus scrape, also in processes that make no calls. */
  collect(models: readonly CircuitModel[]): void {
    this.deps.metrics.collectGauges(['memory_llm_circuit_state'], () =>
      Promise.all(
        models.map(async (of): Promise<StateReading> => {
          const { state } = await this.read(of);
          return { metric: 'memory_llm_circuit_state', labels: labelsOf(of), value: STATE_VALUES[state] };
        }),
      ),
    );
  }

  /** Sets the gauge, then logs the event. The stored state has changed before. */
  reportTransition(of: CircuitModel, transition: CircuitTransition | null | undefined): void {
    if (!transition) return;
    const { logger, metrics } = this.deps;
    const { previousState, circuitState, failureRate } = transition;
    metrics.set('memory_llm_circuit_state', STATE_VALUES[circuitState], labelsOf(of));
    metrics.inc('memory_llm_circuit_transitions_total', { ...labelsOf(of), state: circuitState });
    logger[circuitState === 'open' ? 'warn' : 'info']('circuit_state_change', {
      provider: of.provider as LogProvider,
      model: of.model,
      previousState,
      circuitState,
      failureRate,
    });
  }
}

function nameOf({ provider, model }: CircuitModel): string {
  return buildModelKey(provider, model);
}

function labelsOf({ provider, model }: CircuitModel): { provider: string; model: string } {
  return { provider, model };
}
