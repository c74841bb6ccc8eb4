import { CALL_OPERATIONS, type CallOperation } from '@annals/contracts';
import { ManualClock } from '@annals/domain';
import { createLogger, createMetrics } from '@annals/observability';
import type { AdmittedCall } from './admission-controller.js';
import { CallReporter } from './call-reporter.js';

describe('CallReporter', () => {
  let lines: Record<string, unknown>[];
  let reporter: CallReporter;
  beforeEach(() => {
    lines = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    // The default level of ANNALS_LOG_LEVEL.
    const logger = createLogger({ service: 'spec', level: 'info', clock: new ManualClock(), destination });
    const metrics = createMetrics({ service: 'spec', version: '0', processMetrics: false });
    reporter = new CallReporter(logger, metrics, { readUtilization: () => 12.5 });
  });

  const callOf = (operation: CallOperation) => ({
    tenantId: 'tenant',
    batch: null,
    operation,
    provider: 'claude',
    model: 'haiku',
    attempt: 3,
    maxCostMicroUsd: 100,
  });
  const admitted = { row: { id: 'call' }, circuitState: 'half_open' } as AdmittedCall;

  it.each(
    CALL_OPERATIONS.map((operation) => [operation, operation !== 'embedding' && operation !== 'rerank'] as const),
  )('writes the start of a call for %s at the default level: %s', (operation, isVisible) => {
    reporter.started(callOf(operation), admitted);
    const fields = { attempt: 3, circuitState: 'half_open', budgetUtilization: 12.5 };
    expect(lines).toMatchObject(isVisible ? [{ event: 'provider_call_start', level: 'info', ...fields }] : []);
  });

  it('gives all amounts of a refused call in micro-USD', () => {
    const refusal = {
      outcome: 'refused',
      why: 'budget',
      scope: 'tenant',
      shortfallMicroUsd: 60,
      limitMicroUsd: 1_000,
      until: 0,
    } as const;
    reporter.refused(callOf('extraction'), refusal);
    expect(lines).toMatchObject([
      { event: 'budget_rejection', context: { projectedCost: 100, shortfall: 60, budgetLimit: 1_000 } },
    ]);
  });
});
