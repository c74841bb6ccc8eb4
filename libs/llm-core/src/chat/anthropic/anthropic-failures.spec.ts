import { createServer } from 'node:http';
import { listenOnLoopback, StreamGate, waitUntil } from '@annals/testing';
import { LLMError } from '../../provider/llm-error.js';
import { ChatBench, readAll, readJson, parseChunks } from './chat-bench.fixture.js';

const bench = ChatBench.use();

describe('a failure of AnthropicChat', () => {
  it('ends its requests when it is closed', async () => {
    bench.server.plan({ kind: 'hang' });
    const chat = bench.connect();
    const waiting = bench.send({}, {}, chat).catch((error: unknown) => error);
    await waitUntil(() => bench.server.requests.length === 1, { describe: 'the request arrived' });
    await chat.close();
    expect(await waiting).toBeInstanceOf(LLMError);
  });

  it.each([
    [401, 'authentication_error', 'authentication_error'],
    [403, 'permission_error', 'permission_error'],
    [413, 'invalid_request_error', 'request_too_large'],
    [429, 'rate_limit_error', 'rate_limit_error'],
    [500, 'server_error', 'api_error'],
    [529, 'server_error', 'overloaded_error'],
  ])('tells status %i of the upstream as an error of OpenAI', async (status, type, code) => {
    bench.server.plan({
      kind: 'error',
      status,
      message: 'Said there.',
      headers: { 'retry-after': '7', 'x-secret': 'a' },
    });
    const answer = await bench.send({ seed: 1 });
    expect(answer.status).toBe(status);
    expect(answer.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'retry-after': '7',
      'x-upstream-request-id': 'req_1',
    });
    expect(await readJson(answer)).toEqual({ error: { message: 'Said there.', type, param: null, code } });
    expect(answer.outcome()).toEqual({ texts: [], usage: undefined, isComplete: false });
  });

  it('tells an error that is not in the form of the API by its status', async () => {
    bench.server.plan({ kind: 'error', status: 502, message: '', body: '<html>secret</html>' });
    const answer = await bench.send();
    expect(answer.status).toBe(502);
    expect(await readJson(answer)).toEqual({
      error: { message: 'The model’s server answered with status 502.', type: 'server_error', param: null, code: null },
    });
  });

  it('refuses what Claude cannot do before it is asked', async () => {
    const answer = await bench.send({ n: 2 });
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toEqual({
      error: {
        message: 'n must be 1: Claude gives one answer to a request, so send the request again for more.',
        type: 'invalid_request_error',
        param: 'n',
        code: 'unsupported_parameter',
      },
    });
    const chat = bench.connect();
    const { signal } = new AbortController();
    const broken = await chat.complete({ body: Buffer.from('{'), apiKey: 'sk-caller', signal });
    expect(await readJson(broken)).toMatchObject({ error: { message: 'The body must be a JSON object.' } });
    expect(bench.server.requests).toEqual([]);
  });

  it('tells an error inside a stream, and that the answer is not complete', async () => {
    const content = [{ type: 'text' as const, text: 'Half of it.' }];
    bench.server.plan({
      kind: 'message',
      content,
      failAfter: { events: 4, type: 'overloaded_error', message: 'Overloaded' },
    });
    const answer = await bench.send({ stream: true });
    const chunks = parseChunks(await readAll(answer));
    expect(chunks.at(-1)).toEqual({
      error: { message: 'Overloaded', type: 'server_error', param: null, code: 'overloaded_error' },
    });
    expect(answer.outcome()).toMatchObject({ texts: ['Half o'], isComplete: false });
    expect(answer.outcome().usage).toBeUndefined();
  });

  it.each([0, 4])('tells a stream that broke off after %i events', async (breakAfter) => {
    bench.server.plan({ kind: 'message', content: [{ type: 'text', text: 'Half of it.' }], breakAfter });
    const answer = await bench.send({ stream: true });
    const chunks = parseChunks(await readAll(answer));
    expect(chunks.at(-1)).toEqual({
      error: {
        message: 'The answer of the model broke off: send the request again.',
        type: 'server_error',
        param: null,
        code: 'upstream_broke_off',
      },
    });
    expect(answer.outcome().isComplete).toBe(false);
  });

  it('throws when the connection fails', async () => {
    bench.server.plan({ kind: 'cut' });
    await expect(bench.send()).rejects.toBeInstanceOf(LLMError);
    await expect(bench.send()).resolves.toMatchObject({ status: 200 });
  });

  it('tells an answer that is no message', async () => {
    const odd = await listenOnLoopback(
      createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}');
      }),
    );
    const answer = await bench.send({}, {}, bench.connect(odd.origin));
    await odd.close();
    expect(answer.status).toBe(502);
    expect(await readJson(answer)).toMatchObject({ error: { type: 'server_error', code: 'upstream_broke_off' } });
  });

  it('ends with the reason of its signal, before the answer and within it', async () => {
    const reason = new Error('The client left.');
    bench.server.plan({ kind: 'hang' });
    const first = new AbortController();
    const waiting = bench.send({}, { signal: first.signal });
    await waitUntil(() => bench.server.requests.length === 1, { describe: 'the request arrived' });
    first.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await waitUntil(() => bench.server.requests[0]!.hasLeft, { describe: 'the upstream noticed the first end' });

    const gate = new StreamGate();
    bench.server.plan({ kind: 'message', content: [{ type: 'text', text: 'AB' }], gate });
    const second = new AbortController();
    const answer = await bench.send({ stream: true }, { signal: second.signal });
    gate.release(4);
    const pieces = answer.body[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.next();
    second.abort(reason);
    await expect(pieces.next()).rejects.toBe(reason);
    expect(answer.outcome()).toMatchObject({ texts: ['A'], isComplete: false });
    await waitUntil(() => bench.server.requests[1]!.hasLeft, { describe: 'the upstream noticed the second end' });
  });

  it('leaves the upstream when a reader stops', async () => {
    const gate = new StreamGate();
    bench.server.plan({ kind: 'message', content: [{ type: 'text', text: 'AB' }], gate });
    const answer = await bench.send({ stream: true });
    gate.release(1);
    for await (const _ of answer.body) break;
    await waitUntil(() => bench.server.requests[0]!.hasLeft, { describe: 'the upstream noticed that nobody reads' });
  });
});
