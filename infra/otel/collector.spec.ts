import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Collector {
  readonly receivers: Readonly<Record<string, unknown>>;
  readonly processors: Readonly<Record<string, unknown>>;
  readonly exporters: Readonly<Record<string, unknown>>;
  readonly service: {
    readonly pipelines: Readonly<Record<string, { receivers: string[]; processors: string[]; exporters: string[] }>>;
  };
}

const text = readFileSync(path.resolve(import.meta.dirname, 'collector.yaml'), 'utf8');
const compose = parse(readFileSync(path.resolve(import.meta.dirname, '../../docker-compose.yml'), 'utf8'), {
  merge: true,
}) as { services: { 'otel-collector': { environment: Record<string, string>; command: string[] } } };
const collector = parse(text) as Collector;
const { environment, command } = compose.services['otel-collector'];

describe('configuration of the OpenTelemetry collector', () => {
  it('uses only parts that it defines, with every exporter that can be chosen', () => {
    const { traces } = collector.service.pipelines;
    expect(Object.keys(collector.service.pipelines)).toEqual(['traces']);
    expect(traces?.receivers.filter((name) => !(name in collector.receivers))).toEqual([]);
    expect(traces?.processors.filter((name) => !(name in collector.processors))).toEqual([]);
    expect(traces?.exporters).toEqual(['${env:TRACES_EXPORTER}']);
    expect(environment['TRACES_EXPORTER']).toBe('${ANNALS_TRACES_EXPORTER:-debug}');
    expect(Object.keys(collector.exporters)).toEqual(['debug', 'otlphttp']);
  });

  it('sheds load before its memory is full, before anything else', () => {
    expect(collector.service.pipelines['traces']?.processors[0]).toBe('memory_limiter');
  });

  it('reads only variables that compose sets, from the file that compose mounts', () => {
    const read = [...text.matchAll(/\$\{env:(\w+)\}/g)].map((match) => match[1]);
    expect(new Set(read)).toEqual(new Set(Object.keys(environment)));
    expect(command).toEqual(['--config=/etc/otelcol/collector.yaml']);
  });
});
