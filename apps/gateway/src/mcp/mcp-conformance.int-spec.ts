import { listenOnLoopback, runProgram } from '@annals/testing';
import { createRequire } from 'node:module';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { CONFORMANCE_RUNS } from './conformance-runs.fixture.js';

const resolve = createRequire(import.meta.url).resolve;

/** The official runner sends no key: this adds one to whatever it sends, and changes nothing else. */
function addKey(gatewayUrl: string, key: string) {
  const { hostname, port } = new URL(gatewayUrl);
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url, headers } = incoming;
    const forwarded = request(
      { hostname, port, method, path: url, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  };
}

describe('the official conformance runner of MCP', () => {
  let gateway: TestGateway;
  let url: string;
  let folder: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-conformance-'));
    gateway = await startGateway();
    const tenantId = await gateway.makeTenant('acme');
    const key = await gateway.makeKey({ tenantId, userId: 'ada', scopes: ['query', 'ingest'] });
    const proxy = await listenOnLoopback(createServer(addKey(gateway.url, key)));
    close = proxy.close;
    url = `${proxy.origin}/mcp`;
  });
  afterAll(async () => {
    await close?.();
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(CONFORMANCE_RUNS)('%s passes, but for what needs its sample server', async (_name, run) => {
    const baseline = path.join(folder, 'expected-failures.json');
    writeFileSync(baseline, JSON.stringify({ server: run.needsSampleServer }));
    const program = path.join(path.dirname(resolve(`${run.package}/package.json`)), 'dist/index.js');
    // An entry of the list that passes fails the run, too.
    const args = ['server', '--url', url, ...run.options, '--expected-failures', baseline];
    const { code, output } = await runProgram(program, args, {});
    const passed = Number(/^Total: (\d+) passed/m.exec(output)?.[1]);
    expect({ code, passed, output }).toEqual({ code: 0, passed: run.passed, output: expect.any(String) });
  });
});
