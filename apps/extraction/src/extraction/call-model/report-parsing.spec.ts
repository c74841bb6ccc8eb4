import type { LLMProvider, ParsedAnswer } from '@annals/llm-core';
import type { ParseResult, ReceivedAnswer } from './receive-answer.js';
import { reportEstimate, reportFirstToken, reportParsing, type ReportDependencies } from './report-parsing.js';
import { LLMError } from '@annals/llm-core';

const provider = { name: 'claude', model: 'claude-haiku-5-5' } as LLMProvider;
const about = { requestId: 'r', provider, attempt: 2 };
const received = (more: Partial<ReceivedAnswer> = {}) =>
  ({
    response: { usage: { inputTokens: 1_000, outputTokens: 10 } },
    sentAtMs: 100,
    receivedAtMs: 140,
    needsStreamRepair: false,
    truncated: false,
    ...more,
  }) as ReceivedAnswer;
const understood = (more: Partial<ParsedAnswer> = {}): ParseResult => ({
  understood: true,
  answer: { memories: [], repairs: 0, dropped: 0, adaptedFrom: null, ...more },
  startedAtMs: 141,
  endedAtMs: 143,
});
const notUnderstood: ParseResult = {
  understood: false,
  error: new LLMError('parsing', 'It is not JSON.'),
  startedAtMs: 141,
  endedAtMs: 143,
};

/** All metrics and log events, in their order. */
function recordEmissions(): { deps: ReportDependencies; emitted: unknown[] } {
  const emitted: unknown[] = [];
  const log = (event: string, fields: object) => emitted.push([event, fields]);
  const logAsDebug = (event: string, fields: object) => emitted.push(['debug', event, fields]);
  const metric = (name: string, ...rest: unknown[]) => emitted.push([name, ...rest]);
  const logger = { debug: logAsDebug, info: log, warn: log, error: log, isEnabled: () => true };
  const metrics = {
    inc: metric,
    add: metric,
    observe: metric,
  };
  return { deps: { logger, metrics } as unknown as ReportDependencies, emitted };
}

const latency = (operation: string, ms: number) => [
  'memory_llm_latency_ms_summary',
  ms,
  { provider: 'claude', operation },
];
const fields = { requestId: 'r', provider: 'claude', model: 'claude-haiku-5-5', attempt: 2 };

describe('reporting of an answer', () => {
  it('emits the total latency after its parts, from the start of the call to the end of parsing', () => {
    const { deps, emitted } = recordEmissions();
    reportParsing(deps, about, received(), understood());
    expect(emitted).toEqual([latency('provider_call', 40), latency('parsing', 2), latency('total', 43)]);
  });

  it('emits repairs, dropped memories and schema adaptation before the latencies', () => {
    const { deps, emitted } = recordEmissions();
    const repaired = understood({ repairs: 3, dropped: 2, adaptedFrom: 'singular' });
    reportParsing(deps, about, received({ needsStreamRepair: true }), repaired);
    expect(emitted).toEqual([
      ['memory_llm_stream_repairs_total', { outcome: 'success' }],
      ['stream_repair_attempt', { ...fields, success: true }],
      ['memory_llm_json_repairs_total', { outcome: 'success' }],
      ['parsing_repair_attempt', { ...fields, success: true, repairs: 3 }],
      latency('provider_call', 40),
      ['memory_llm_memories_dropped_total', 2, { provider: 'claude' }],
      ['memory_llm_schema_adaptations_total', { from: 'singular' }],
      ['schema_adapted', { ...fields, from: 'singular' }],
      latency('parsing', 2),
      latency('total', 43),
    ]);
  });

  it('reports a truncated answer', () => {
    const { deps, emitted } = recordEmissions();
    reportParsing(deps, about, received({ truncated: true }), understood({ dropped: 1 }));
    expect(emitted.slice(1, 3)).toEqual([
      ['memory_llm_answers_truncated_total', { provider: 'claude', model: 'claude-haiku-5-5' }],
      ['answer_truncated', { ...fields, retained: 0, dropped: 1 }],
    ]);
  });

  it('emits no total latency for an unreadable answer', () => {
    const { deps, emitted } = recordEmissions();
    reportParsing(deps, about, received(), notUnderstood);
    expect(emitted).toEqual([
      ['memory_llm_json_repairs_total', { outcome: 'failure' }],
      ['parsing_repair_attempt', { ...fields, success: false, repairs: undefined }],
      ['memory_llm_parse_failures_total', { provider: 'claude' }],
      ['parsing_repair_failure', { ...fields, errorType: 'parsing' }],
      latency('provider_call', 40),
    ]);
  });

  it('emits the first token latency as metric, and as event that is visible at the default level', () => {
    const { deps, emitted } = recordEmissions();
    reportFirstToken(deps, about, 12.5);
    expect(emitted).toEqual([latency('first_token', 12.5), ['first_token_latency', { ...fields, firstTokenMs: 12.5 }]]);
  });

  it.each([
    [1_050, []],
    [1_051, ['memory_llm_token_estimate_misses_total', 'token_estimate_missed']],
    [949, ['memory_llm_token_estimate_misses_total', 'token_estimate_missed']],
  ])('reports a token estimate of %i for 1,000 tokens only if it deviates by more than 5 %%', (estimate, expected) => {
    const { deps, emitted } = recordEmissions();
    reportEstimate(deps, about, estimate, received());
    expect(emitted.map((line) => (line as unknown[])[0])).toEqual(expected);
  });

  it('does not check the token estimate when the usage is estimated too', () => {
    const { deps, emitted } = recordEmissions();
    const usage = { inputTokens: 1_000, outputTokens: 10, estimated: true };
    reportEstimate(deps, about, 5_000, received({ response: { usage } as ReceivedAnswer['response'] }));
    expect(emitted).toEqual([]);
  });
});
