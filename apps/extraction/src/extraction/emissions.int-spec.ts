import type { Batch } from '@annals/contracts';
import { EVENTS, METRICS } from '@annals/observability';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase, waitUntil } from '@annals/testing';
import {
  CLAUDE_KEY,
  describeModels,
  ExtractionService,
  OPENAI_KEY,
  type TestMessage,
} from './extraction-service.fixture.js';

const BATCHES = 40;
const UNUSED_NAMES = ['ts', 'budgetUtilizationPct', 'additional'];
/** Contained in all user content of this test, and in nothing else. */
const PRIVATE = ['quokka', 'Wilhelmine', 'Überlingen'];

const makeBatch = (index: number): TestMessage[] => [
  ['user', `I saw a quokka in Überlingen, it was mark-${index}.`],
  ['assistant', 'Was Wilhelmine with you?'],
  ['user', `Yes, Wilhelmine loved the quokka!`],
];

/**
 * Done, or deferred to the next budget day. A batch that waits for other calls' reservations is back within seconds.
 */
function isAtRest({ status, deferred_reason, deferred_until }: Batch, now: number): boolean {
  if (status === 'persisting' || status === 'failed') return true;
  return deferred_reason === 'budget_exceeded' && Date.parse(deferred_until ?? '') > now + 60_000;
}

/** The names of all fields in a line, nested ones included. */
function listNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listNames);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listNames(inner)]);
}

describe('logs and metrics of a long run with failures', () => {
  let models: FakeModels;
  let database: TestDatabase;
  let service: ExtractionService;
  let lines: Record<string, unknown>[];
  let metrics: string;

  beforeAll(async () => {
    models = await startFakeModels({ limits: { requestsPerMinute: 10_000, tokensPerMinute: 10_000_000 } });
    models.misbehave({
      rate: 0.5,
      seed: 11,
      hintMs: 20,
      kinds: [
        'rate_limit_ms',
        'server_error',
        'overloaded',
        'reset',
        'garbage',
        'stream_error',
        'cut_middle',
        'prose',
        'wrong_shape',
        'truncated',
        'empty',
        'tools_before',
        'tools_inside',
        'thinking',
        'no_usage',
        'refusal',
        'spend_limit',
        'bad_request',
        'unauthenticated',
      ],
    });
    // For some conversations, every answer of the primary is unreadable.
    models.behave(({ api, marks }) =>
      api === 'anthropic' && marks.some((mark) => mark.endsWith('3')) ? { kind: 'answer', text: 'Hm.' } : undefined,
    );
    database = await createTestDatabase();
    service = await ExtractionService.start({
      database,
      env: {
        ...describeModels(models),
        MEMORY_LLM_PRIMARY: 'claude',
        MEMORY_LLM_FALLBACKS: 'openai',
        MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '8',
        MEMORY_LLM_CIRCUIT_COOLDOWN_MS: '200',
        MEMORY_LLM_CIRCUIT_ERROR_THRESHOLD: '0.7',
        MEMORY_LLM_DAILY_BUDGET_USD: '0.05',
        MEMORY_LLM_SALIENCE_MAX_TOKENS: '100',
        ANNALS_EXTRACTION_CONCURRENCY: '8',
      },
    });
    const ids = await Promise.all(Array.from({ length: BATCHES }, (_, index) => service.post(makeBatch(index))));
    await waitUntil(
      async () => {
        const batches = await Promise.all(ids.map(async (id) => service.read(id)));
        return batches.every((batch) => isAtRest(batch, service.clock.now()));
      },
      { describe: 'every batch is done or deferred', timeoutMs: 160_000, intervalMs: 200 },
    );
    lines = service.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    metrics = (await service.running.infrastructure.metrics.render()).body;
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    await models?.close();
  });

  it('contain every kind of failure', () => {
    const seen = new Set(lines.map(({ event }) => event));
    for (const event of ['provider_call_error', 'parsing_repair_failure', 'fallback_activated', 'batch_failed']) {
      expect(seen).toContain(event);
    }
  });

  it('contain only documented events, each with its mandatory fields', () => {
    for (const line of lines) {
      const definition = EVENTS[line.event as keyof typeof EVENTS];
      expect([line.event, definition !== undefined]).toEqual([line.event, true]);
      const context = line.context as Record<string, unknown>;
      for (const field of Object.keys(definition.fields)) {
        expect([line.event, field, field in line || field in context]).toEqual([line.event, field, true]);
      }
    }
  });

  it('contain only metrics of the manifest', () => {
    const names = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !(name in METRICS))).toEqual([]);
  });

  it('contain no field names that are no longer in use, and flags only where they are true', () => {
    const names = new Set(lines.flatMap(listNames));
    expect(UNUSED_NAMES.filter((name) => names.has(name))).toEqual([]);
    for (const line of lines) {
      const { usageEstimated, derivedRetry } = line.context as Record<string, unknown>;
      for (const flag of [usageEstimated, derivedRetry]) expect([undefined, true]).toContain(flag);
    }
  });

  it('contain no API key and no user content', () => {
    const logged = service.lines.join('\n') + metrics;
    for (const secret of [CLAUDE_KEY, OPENAI_KEY, 'mark-', ...PRIVATE]) expect(logged).not.toContain(secret);
  });

  it('contain the steps of each call in their order', () => {
    const steps = ['provider_call_start', 'provider_call_complete', 'provider_call_error'];
    const byCall = Map.groupBy(
      lines.filter(({ event }) => steps.includes(event as string)),
      ({ context }) => (context as { callId?: string }).callId,
    );
    // The local provider emits no call steps; it is not part of this run.
    expect(byCall.has(undefined)).toBe(false);
    // A failed call has to be traceable to its batch.
    for (const { context } of [...byCall.values()].flat()) expect(context).toHaveProperty('batchId');
    const courses = new Set([...byCall.values()].map((told) => told.map(({ event }) => event).join(' ')));
    expect([...courses].toSorted()).toEqual([
      'provider_call_start provider_call_complete',
      // Answered, but unreadable.
      'provider_call_start provider_call_complete provider_call_error',
      'provider_call_start provider_call_error',
    ]);
  });
});
