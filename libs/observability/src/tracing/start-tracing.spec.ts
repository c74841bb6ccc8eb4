import { join } from 'node:path';
import { chooseExporter, readServiceName, shutdownTracing, startTracing } from './start-tracing.js';
import { currentTraceId, currentTraceparent, withSpan } from './spans.js';

describe('chooseExporter', () => {
  it.each([
    ['nothing is set', {}, undefined],
    ['an endpoint is set', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, 'otlp'],
    ['an endpoint for traces is set', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }, 'otlp'],
    ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    ['OTEL_TRACES_EXPORTER is otlp', { OTEL_TRACES_EXPORTER: 'otlp' }, 'otlp'],
    ['OTEL_TRACES_EXPORTER is console', { OTEL_TRACES_EXPORTER: 'console' }, 'console'],
    [
      'OTEL_TRACES_EXPORTER is none',
      { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' },
      undefined,
    ],
    ['the SDK is disabled', { OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'otlp' }, undefined],
  ])('returns the exporter when %s', (_case, env, expected) => {
    expect(chooseExporter(env)).toBe(expected);
  });
});

describe('tracing without an exporter', () => {
  it('runs work, passes on results and errors, and has no trace context', async () => {
    expect(await startTracing({})).toBeUndefined();
    expect(await withSpan('step', { batchId: 'b' }, () => 7)).toBe(7);
    await expect(withSpan('step', {}, () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
    expect([currentTraceparent(), currentTraceId()]).toEqual([undefined, undefined]);
    await expect(shutdownTracing()).resolves.toBeUndefined();
  });
});

describe('readServiceName', () => {
  it('returns the name of the package that contains the main file', () => {
    expect(readServiceName(join(__dirname, '..', '..', 'dist', 'main.js'))).toBe('annals-observability');
    expect(readServiceName(join(__dirname, 'main.js'))).toBeUndefined();
    expect(readServiceName(undefined)).toBeUndefined();
  });
});
