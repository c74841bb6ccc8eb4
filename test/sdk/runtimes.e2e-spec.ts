import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeProject, runIn, RUNTIMES } from './runtimes.js';

const SCRIPT = 'hard-moments.mjs';

type Misbehaviour = (response: ServerResponse, request: IncomingMessage) => void;

const json = (response: ServerResponse, body: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const eventText = (id: number) => `event: status\nid: ${id}\ndata: {}\n\n`;

/** A server that misbehaves by the id in the path; a new one for each run. */
function createMisbehaviours(): Record<string, Misbehaviour> {
  const announced = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const keys: unknown[] = [];
  const streams = new Set<ServerResponse>();
  /** The start of a body that goes on. */
  const begin = (response: ServerResponse, type: string, text: string) => {
    streams.add(response);
    response.writeHead(200, { 'content-type': type }).write(text);
  };
  return {
    'announced-then-silent': () => announced.resolve(),
    'wait-for-the-silent-one': (response) => void announced.promise.then(() => json(response, {})),
    silent: () => undefined,
    'one-then-silence': (response) => begin(response, 'text/event-stream', eventText(1)),
    left: (response) => {
      response.once('close', () => closed.resolve());
      begin(response, 'text/event-stream', eventText(1));
    },
    'wait-until-left': (response) => void closed.promise.then(() => json(response, { id: 'closed' })),
    'lose-connection': (response) => {
      for (const stream of streams) stream.destroy();
      json(response, {});
    },
    lost: (response) => response.destroy(),
    'lost-once': (response, { headers }) => {
      keys.push(headers['idempotency-key']);
      if (keys.length === 1) response.destroy();
      else json(response, { outcome: keys[0] === keys[1] ? 'same key' : 'another key' });
    },
    resumed: (response, { headers }) => {
      const next = Number(headers['last-event-id'] ?? 0) + 1;
      if (next > 3) response.writeHead(204).end();
      else begin(response, 'text/event-stream', eventText(next));
    },
    cut: (response) => begin(response, 'application/x-ndjson', '{"kind":"manifest"}\n{"ki'),
    short: (response) => response.writeHead(200).end('{"kind":"manifest"}\n'),
  };
}

describe('@annals/sdk in the hard moments of a connection', () => {
  let folder: string;
  let server: Server;
  let misbehaviours: Record<string, Misbehaviour>;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-runtimes-'));
    makeProject(folder);
    copyFileSync(path.join(import.meta.dirname, SCRIPT), path.join(folder, SCRIPT));
    server = createServer((request, response) => {
      const id = request.url!.split('/').find((part) => Object.hasOwn(misbehaviours, part))!;
      misbehaviours[id]!(response, request);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(RUNTIMES)('does the same on $title', async (runtime) => {
    misbehaviours = createMisbehaviours();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await runIn(runtime, path.join(folder, SCRIPT), { ANNALS_URL: url })).toEqual([
      'abort without an answer: AbortError true',
      'abort in a stream: 1 AbortError',
      'silence: TimeoutError true',
      'silence in a stream: 1 TimeoutError',
      'a lost connection of a write: same key',
      'a lost connection of a stream: 1 2 3',
      'an export that is cut off: manifest ConnectionError',
      'an export that ends early: manifest ConnectionError',
      'leaving a stream: closed',
      'a lost connection: ConnectionError true',
    ]);
  });
});
