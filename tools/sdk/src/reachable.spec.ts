import { Annals } from '@annals/sdk';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDocument } from './generated-files.ts';
import { listMethods, readOperations } from './read-operations.ts';
import { WITH_LATER_QUERY } from './render-resource.ts';

type Call = (...args: unknown[]) => PromiseLike<unknown> | AsyncIterable<unknown>;

// An answer to everything that the client can read: a page, a document, a stream, and a line that ends an export.
const ANSWER = '{ "kind": "end", "items": [], "messages": [], "changes": [], "next_cursor": null }\n';

describe('each operation of the document', () => {
  let server: Server;
  let annals: Annals;
  let received: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://annals.test');
      received.push(
        `${request.method} ${pathname} ${[...searchParams.keys()].join()} ${request.headers['idempotency-key'] ? 'key' : ''}`,
      );
      request.resume();
      response.end(ANSWER);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    annals = new Annals({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'ann_1', maxRetries: 0 });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    received = [];
  });

  it.each(
    readOperations(readDocument())
      .flatMap(listMethods)
      .map((method) => [[...method.group, method.method].join('.'), method] as const),
  )(
    'is reached by annals.%s',
    async (_name, { id, group, method, httpMethod, path, pathParameters, body, query, idempotent }) => {
      const api = group.reduce((node, name) => (node as Record<string, unknown>)[name], annals as unknown);
      const call = (api as Record<string, Call>)[method]!;
      const args = [
        ...pathParameters.map((name) => `the ${name}`),
        ...(body === undefined ? [] : [{}]),
        ...(WITH_LATER_QUERY.has(id) ? [{}] : []),
        ...(query === 'none' ? [] : [{ limit: 3 }]),
      ];
      const result = call.apply(api, args);
      if ('then' in result) await result;
      else for await (const item of result) expect(item).toBeDefined();
      const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(`the ${name}`));
      expect(received).toEqual([
        `${httpMethod} ${filled} ${query === 'none' ? '' : 'limit'} ${idempotent ? 'key' : ''}`,
      ]);
    },
  );
});
