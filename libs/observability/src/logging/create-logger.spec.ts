import { createLogger, type LoggerOptions, runWithRequestId } from './create-logger.js';
import { type EventDefinition, EVENTS } from './events.js';
import type { Logger } from './logger.types.js';

const NOON = Date.UTC(2026, 10, 21, 12, 0, 0, 7);

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'info',
    clock: { now: () => NOON },
    destination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    ...options,
  });
  return { logger, lines };
}

const CALL = { durationMs: 12.34567, costMicroUSD: 4567, tokenUsage: { inputTokens: 10, outputTokens: 2 } };

describe('a log line', () => {
  it('has exactly the documented envelope', () => {
    const { logger, lines } = capture();
    logger.info('provider_call_complete', {
      ...CALL,
      provider: 'claude',
      model: 'm-1',
      requestId: 'r-1',
      attempt: 1,
      budgetUtilization: 72.3456,
      circuitState: 'half_open',
      batchId: 'b-1',
    });
    expect(lines).toEqual([
      {
        timestamp: '2026-11-21T12:00:00.007Z',
        level: 'info',
        service: 'gateway',
        requestId: 'r-1',
        provider: 'claude',
        model: 'm-1',
        event: 'provider_call_complete',
        attempt: 1,
        durationMs: 12.346,
        costMicroUSD: 4567,
        budgetUtilization: 72.35,
        circuitState: 'half_open',
        context: { tokenUsage: { inputTokens: 10, outputTokens: 2 }, batchId: 'b-1' },
      },
    ]);
  });

  it('has provider `none` and an empty context when no fields are passed', () => {
    const { logger, lines } = capture();
    logger.warn('queue_available');
    expect(lines).toEqual([
      {
        timestamp: '2026-11-21T12:00:00.007Z',
        level: 'warn',
        service: 'gateway',
        provider: 'none',
        event: 'queue_available',
        context: {},
      },
    ]);
  });

  it('rounds USD amounts to 6 decimals and rates to 4', () => {
    const { logger, lines } = capture();
    logger.info('budget_threshold', { budgetUtilization: 90, spentUSD: 0.9000004999, budgetUSD: 1 });
    logger.info('circuit_state_change', { previousState: 'closed', circuitState: 'open', failureRate: 2 / 3 });
    expect(lines.map(({ context }) => context)).toEqual([
      { spentUSD: 0.9, budgetUSD: 1 },
      { previousState: 'closed', failureRate: 0.6667 },
    ]);
  });

  it('is not written when its level is below the configured level', () => {
    const { logger, lines } = capture({ level: 'warn' });
    logger.debug('queue_available');
    logger.info('queue_available');
    logger.warn('queue_available');
    logger.error('queue_available');
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'error']);
    expect([logger.isEnabled('info'), logger.isEnabled('error')]).toEqual([false, true]);
  });

  it('carries the current request id unless the call passes another one', async () => {
    const { logger, lines } = capture();
    await runWithRequestId('r-7', async () => {
      await Promise.resolve();
      logger.info('queue_available');
      logger.info('queue_available', { requestId: undefined });
      logger.info('queue_available', { requestId: 'r-8' });
    });
    logger.info('queue_available');
    expect(lines.map(({ requestId }) => requestId)).toEqual(['r-7', 'r-7', 'r-8', undefined]);
  });

  it('includes the fields of a child logger, which a call may override', () => {
    const { logger, lines } = capture();
    const child = logger.child({ provider: 'local', queue: 'extraction' }).child({ attempt: 2 });
    child.info('queue_available');
    child.info('queue_available', { attempt: 3 });
    expect(lines.map(({ provider, attempt, context }) => [provider, attempt, context])).toEqual([
      ['local', 2, { queue: 'extraction' }],
      ['local', 3, { queue: 'extraction' }],
    ]);
  });

  it('drops forbidden fields and true-only flags that are not true', () => {
    const { logger, lines } = capture();
    const forbidden = { ts: 1, additional: {}, budgetUtilizationPct: 1, usageEstimated: false, derivedRetry: true };
    logger.info('queue_available', { nested: forbidden, ...(forbidden as object) });
    expect(lines[0]?.context).toEqual({ nested: { derivedRetry: true }, derivedRetry: true });
  });

  it('does not let fields override timestamp, level, service or event', () => {
    const { logger, lines } = capture();
    const forged = { timestamp: 'x', level: 'x', service: 'x', event: 'x', context: 'x' };
    logger.info('queue_available', forged);
    expect(lines[0]).toMatchObject({ level: 'info', service: 'gateway', event: 'queue_available', context: forged });
  });
});

describe('the Logger type', () => {
  const attempts: ((logger: Logger) => void)[] = [
    // @ts-expect-error -- no such event
    (logger) => logger.info('no_such_event', {}),
    // @ts-expect-error -- waitMs is missing
    (logger) => logger.info('job_complete', { queue: 'q', jobId: 'j', attempt: 1, durationMs: 1 }),
    // @ts-expect-error -- must be a number
    (logger) => logger.info('service_started', { durationMs: 'soon' }),
    // @ts-expect-error -- required fields are missing
    (logger) => logger.info('service_started'),
    // @ts-expect-error -- not an error type
    (logger) => logger.info('provider_call_error', { errorType: 'sad', attempt: 1 }),
    // @ts-expect-error -- a forbidden field
    (logger) => logger.info('queue_available', { ts: 1 }),
    // @ts-expect-error -- may only be true
    (logger) => logger.info('queue_available', { usageEstimated: false }),
    (logger) => logger.info('provider_call_start', { provider: 'local', model: 'rules' }),
  ];

  it('rejects unknown events, missing fields and forbidden fields (checked by the compiler)', () => {
    expect(attempts).toHaveLength(8);
  });
});

describe('the table of events', () => {
  it('contains every required event, in lower snake case', () => {
    expect(Object.keys(EVENTS)).toEqual(
      expect.arrayContaining([
        'provider_call_start',
        'provider_call_complete',
        'provider_call_error',
        'parsing_repair_attempt',
        'parsing_repair_failure',
        'fallback_activated',
        'circuit_state_change',
        'budget_threshold',
        'budget_rejection',
        'persistence_batch_commit',
        'persistence_batch_rollback',
        'first_token_latency',
        'stream_repair_attempt',
      ]),
    );
    for (const name of Object.keys(EVENTS)) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });
});

describe('events that say who did what', () => {
  it('are logged whatever the level is, and no others', () => {
    const { logger, lines } = capture({ level: 'error' });
    logger.info('key_created', { tenantId: 't', keyId: 'k', byKeyId: 'a' });
    logger.child({ requestId: 'r-1' }).warn('authentication_failed', {
      reason: 'unknown',
      address: '192.0.2.7',
      method: 'GET',
      route: '/v1/memories',
    });
    logger.warn('queue_unavailable', { error: new Error('away') });
    expect(lines).toMatchObject([
      { level: 'info', service: 'gateway', event: 'key_created', context: { keyId: 'k', byKeyId: 'a' } },
      { level: 'warn', requestId: 'r-1', event: 'authentication_failed', context: { reason: 'unknown' } },
    ]);
  });

  it('name the key that did it', () => {
    const audits = Object.entries<EventDefinition>(EVENTS).filter(([, { audit }]) => audit);
    expect(audits.length).toBeGreaterThan(8);
    // Nobody is known whom these refuse, or not always; a worker removes files behind an erasure, which was logged with its
    // key; and who has the one-time link needs no key.
    const unknown = ['authentication_failed', 'queue_request_refused', 'vault_removed', 'console_link_used'];
    for (const [name, { fields }] of audits) {
      if (!unknown.includes(name))
        expect([name, Object.keys(fields)]).toEqual([name, expect.arrayContaining(['byKeyId'])]);
    }
  });
});
