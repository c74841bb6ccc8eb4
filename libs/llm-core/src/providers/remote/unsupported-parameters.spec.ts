import type { Refusable } from '@annals/testing';
import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { parseAnswer } from '../../parsing/parse-answer.js';
import { connectClaude, connectOpenAI, useServers } from './connect.fixture.js';

const start = useServers();
const MODEL = { id: 'llama3.2', api: 'openai', price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } } as const;

describe('an OpenAI-compatible server', () => {
  it.each([
    [[], ['schema']],
    [['response_format.json_schema'], ['schema', 'json_object']],
    [
      ['response_format.json_schema', 'response_format.json_object'],
      ['schema', 'json_object', 'text'],
    ],
    [['response_format'], ['schema', 'json_object', 'text']],
    [['max_tokens'], ['schema', 'schema']],
    [
      ['max_tokens', 'stream_options', 'response_format'],
      ['schema', 'schema', 'schema', 'json_object', 'text'],
    ],
  ] as [Refusable[], string[]][])(
    'that rejects %j is sent the modes %j during discovery only',
    async (refuses, modes) => {
      const server = await start({ isCompatible: true, models: [MODEL], refuses });
      const provider = connectOpenAI(server, { model: MODEL.id, isFree: true });
      const stream = () => provider.stream(sampleRequest(), { onText: () => {} });
      const { text, costMicroUsd } = await stream();
      expect(parseAnswer(text, { truncated: false }).memories).not.toEqual([]);
      expect(costMicroUsd).toBe(0);
      expect(server.journal.entries.map(({ request }) => request.outputMode)).toEqual(modes);
      expect(provider.getCapabilities().structuredOutput).toBe(modes.at(-1));
      await stream();
      await connectOpenAI(server, { model: MODEL.id, isFree: true }).send(sampleRequest());
      expect(server.journal.entries.slice(modes.length).map(({ status }) => status)).toEqual([200, 200]);
    },
  );

  it('is sent the schema in the prompt if it cannot enforce it', async () => {
    const server = await start({ isCompatible: true, models: [MODEL], refuses: ['response_format'] });
    await connectOpenAI(server, { model: MODEL.id, isFree: true }).send(sampleRequest());
    expect(server.journal.entries.at(-1)!.request.userTexts[0]).toContain('Answer with JSON only');
    expect(server.journal.entries[0]!.request.userTexts[0]).not.toContain('Answer with JSON only');
  });

  it('that rejects reasoning_effort is called without it', async () => {
    const server = await start({ refuses: ['reasoning_effort'] });
    await connectOpenAI(server).send(sampleRequest());
    const { body } = server.journal.entries.at(-1)!.request;
    expect(body).not.toHaveProperty('reasoning_effort');
    expect(body).toHaveProperty('response_format');
  });

  it.each([
    { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] },
    { object: 'error', message: 'response_format is not supported by this model', code: 400 },
    { error: "'response_format.type' must be 'text'" },
  ])('may reject a parameter with the error body %j', async (body) => {
    const server = await start({ isCompatible: true, models: [MODEL] });
    const refusal = { kind: 'error', status: 400, body: JSON.stringify(body) } as const;
    server.plan(refusal, refusal);
    await connectOpenAI(server, { model: MODEL.id, isFree: true }).send(sampleRequest());
    expect(server.journal.entries.map(({ request }) => request.outputMode)).toEqual(['schema', 'json_object', 'text']);
  });

  it('is discovered once for a burst of calls', async () => {
    const server = await start({ isCompatible: true, models: [MODEL], refuses: ['response_format'] });
    const provider = connectOpenAI(server, { model: MODEL.id, isFree: true });
    await Promise.all(Array.from({ length: 10 }, () => provider.send(sampleRequest())));
    expect(server.journal.entries.filter(({ status }) => status === 400)).toHaveLength(2);
  });
});

describe('a Claude server', () => {
  it.each([
    ['output_config.format', 'text'],
    ['output_config', 'text'],
    ['output_config.effort', 'schema'],
    ['thinking', 'schema'],
    ['cache_control', 'schema'],
  ] as [Refusable, string][])('that rejects %s is called without it', async (refused, mode) => {
    const server = await start({ refuses: [refused] });
    const provider = connectClaude(server);
    await provider.send(sampleRequest());
    expect(provider.getCapabilities().structuredOutput).toBe(mode);
    const known = server.journal.entries.length;
    await provider.stream(sampleRequest(), { onText: () => {} });
    expect(server.journal.entries.slice(known).map(({ status }) => status)).toEqual([200]);
  });
});

describe('a temperature', () => {
  const compatible = { isCompatible: true, models: [MODEL] };
  const asked = sampleRequest({ temperature: 0 });

  it('is sent to a model of OpenAI that does not reason, and to other models', async () => {
    const official = await start();
    await connectOpenAI(official).send(asked);
    await connectOpenAI(official).stream(asked, { onText: () => {} });
    const other = await start(compatible);
    await connectOpenAI(other, { model: MODEL.id, isFree: true }).send(asked);
    for (const server of [official, other]) {
      const answered = server.journal.entries.filter(({ status }) => status === 200);
      expect(answered).not.toEqual([]);
      for (const { request } of answered) expect(request.body).toMatchObject({ temperature: 0 });
    }
  });

  it('is not sent unless it is asked for', async () => {
    const server = await start();
    await connectOpenAI(server).send(sampleRequest());
    expect(server.journal.entries[0]!.request.body).not.toHaveProperty('temperature');
  });

  it.each(['claude-haiku-5-5', 'claude-sonnet-5-5'])('is never sent to %s, which refuses any', async (model) => {
    const server = await start();
    await connectClaude(server, { model }).send(asked);
    await connectClaude(server, { model }).stream(asked, { onText: () => {} });
    expect(server.journal.entries.map(({ status }) => status)).toEqual([200, 200]);
    for (const { request } of server.journal.entries) expect(request.body).not.toHaveProperty('temperature');
  });

  it('is left out with the effort, without which the model reasons', async () => {
    const server = await start({ refuses: ['reasoning_effort'] });
    await connectOpenAI(server).send(asked);
    const withoutEffort = server.journal.entries.filter(({ request }) => !('reasoning_effort' in request.body));
    expect(withoutEffort.at(-1)?.status).toBe(200);
    for (const { request } of withoutEffort) expect(request.body).not.toHaveProperty('temperature');
  });

  it('is refused once by a server that does not take it, and then left out', async () => {
    const server = await start({ ...compatible, refuses: ['temperature'] });
    for (let call = 0; call < 2; call += 1) {
      await connectOpenAI(server, { model: MODEL.id, isFree: true }).send(asked);
    }
    expect(server.journal.entries.map(({ status }) => status)).toEqual([400, 200, 200]);
    expect(server.journal.entries.at(-1)!.request.body).not.toHaveProperty('temperature');
  });
});

describe('a correction', () => {
  it.each(['claude', 'openai'] as const)('sends %s its previous answer and the problem with it', async (name) => {
    const server = await start();
    const provider = name === 'claude' ? connectClaude(server) : connectOpenAI(server);
    const correction = { answer: '{"memories": [', problem: 'The JSON ends early.' };
    await provider.send(sampleRequest({ correction }));
    const { body } = server.journal.entries.at(-1)!.request;
    const turns = (body.messages as { role: string; content: string }[]).filter(({ role }) => role !== 'system');
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(turns[1]?.content).toBe(correction.answer);
    expect(turns[2]?.content).toContain(correction.problem);
  });
});
