import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PACKAGE = join(__dirname, '..');
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const USER_CONTENT = 'zenobia-lives-at-elm-street';

/**
 * Instrumentation needs the real module loader, so a small service runs in a separate process, on the built package.
 */
const SERVICE = `
  import { createServer } from 'node:http';
  import { context, propagation, trace } from '@opentelemetry/api';
  import { Redis } from 'ioredis';
  import pg from 'pg';
  import * as o from '@annals/observability';

  const server = createServer(async (request, response) => {
    if (request.url.startsWith('/inner')) return response.end(request.headers.traceparent ?? 'none');
    if (request.url === '/health/live') return response.end();
    o.setHttpSpanName('GET', '/v1/users/{id}');
    const inner = await o.withSpan('step', { batchId: 'b-1' }, async () => {
      const answer = await fetch(base + '/inner?q=${USER_CONTENT}');
      const traceId = trace.getActiveSpan()?.spanContext().traceId;
      return { forwarded: await answer.text(), traceparent: o.currentTraceparent() ?? 'none', traceId };
    });
    response.end(JSON.stringify(inner));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = 'http://127.0.0.1:' + server.address().port;
  const caller = { traceparent: '00-${CALLER.traceId}-${CALLER.spanId}-01' };
  const answer = await (await fetch(base + '/v1/users/${USER_CONTENT}?q=${USER_CONTENT}', { headers: caller })).json();
  await (await fetch(base + '/health/live')).text();
  const job = context.with(propagation.extract(context.active(), answer), () =>
    o.withSpan('job', {}, () => { throw new TypeError('${USER_CONTENT}'); }));
  const failure = await job.catch((error) => error.message);
  const patched = [pg.Client.prototype.query, Redis.prototype.sendCommand, server.constructor.prototype.emit]
    .map((method) => '__original' in method);
  await o.shutdownTracing();
  server.close();
  server.closeAllConnections();
  console.log(JSON.stringify({ ...answer, failure, patched }));
`;

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
}
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

describe('the preload module for tracing', () => {
  let collector: Server;
  let bodies: string[];
  let endpoint: string;

  beforeAll(async () => {
    if (!existsSync(join(PACKAGE, 'dist/otel.js')))
      throw new Error('Build the package first: tsc -b libs/observability');
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    bodies = [];
  });
  afterAll(() => new Promise((resolve) => collector.close(resolve)));

  it('sends one connected trace to the collector, without user content', async () => {
    const result = await runService({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'annals-spec' });
    const exported = bodies.flatMap((body) => (JSON.parse(body) as ExportRequest).resourceSpans);
    const spans = exported.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const find = (name: string, kind: number) => spans.find((span) => span.name === name && span.kind === kind);
    const [SERVER, CLIENT, INTERNAL] = [2, 3, 1];

    const outer = find('GET /v1/users/{id}', SERVER);
    const step = find('step', INTERNAL);
    const call = find('GET', CLIENT);
    const inner = find('GET', SERVER);
    const job = find('job', INTERNAL);
    expect([outer, step, call, inner, job].map((span) => span?.traceId)).toEqual(Array(5).fill(CALLER.traceId));
    expect([outer, step, call, inner, job].map((span) => span?.parentSpanId)).toEqual([
      CALLER.spanId,
      outer?.spanId,
      step?.spanId,
      call?.spanId,
      step?.spanId,
    ]);
    expect(spans).toHaveLength(5);
    expect(result).toMatchObject({
      traceparent: `00-${CALLER.traceId}-${step?.spanId}-01`,
      forwarded: `00-${CALLER.traceId}-${call?.spanId}-01`,
      traceId: CALLER.traceId,
      failure: USER_CONTENT,
      patched: [true, true, true],
    });
    expect(exported[0]?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'annals-spec' },
    });
    expect(bodies.join()).not.toContain(USER_CONTENT);
  });

  it.each([
    ['no exporter is configured', () => ({})],
    ['the exporter is none', () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' })],
    ['the SDK is disabled', () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' })],
  ])('patches nothing and sends nothing when %s', async (_case, variables) => {
    const result = await runService(variables());
    expect(result).toEqual({
      traceparent: 'none',
      // Plain fetch does not propagate the traceparent header.
      forwarded: 'none',
      failure: USER_CONTENT,
      patched: [false, false, false],
    });
    expect(bodies).toEqual([]);
  });
});

async function runService(variables: Record<string, string>): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', '@annals/observability/otel', '--input-type=module', '--eval', SERVICE],
    { cwd: PACKAGE, env: { PATH: process.env.PATH, ...variables } },
  );
  return JSON.parse(stdout);
}
