import { streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { streamOf, streamParts } from '../fixtures/answers.fixture.js';
import { found, type ScriptedAnnals, scriptAnnals } from '../fixtures/scripted-annals.fixture.js';
import { storedThrough } from '../fixtures/stored-through.fixture.js';
import { annalsMemory } from './annals-memory.js';
import type { MemoryOptions } from './options.js';

const PROMPT = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi.' }] }];

describe('annalsMemory with a stream', () => {
  let server: ScriptedAnnals;
  beforeEach(() => {
    server = scriptAnnals();
  });

  function remember(stream: ReadableStream, options: Partial<MemoryOptions> = {}) {
    const memory = annalsMemory(server.annals, { user: 'mara', thread: 't-1', ...options });
    const model = wrapLanguageModel({ model: new MockLanguageModelV4({ doStream: { stream } }), middleware: memory });
    return { memory, model };
  }

  it('adds what was recalled to the last part, and stores behind it', async () => {
    server.answerQuery(found(['[profile] The user lives in Lisbon.']));
    const waiting: Promise<void>[] = [];
    const { memory, model } = remember(streamOf(streamParts('In Lisbon.')), {
      waitUntil: (promise) => waiting.push(promise),
    });
    // The server does not answer a post before the whole stream has been read.
    const read = Promise.withResolvers<object>();
    server.answerPost(() => read.promise);
    const result = streamText({ model, prompt: 'Where do I live?' });
    expect(await result.text).toBe('In Lisbon.');
    expect(await result.providerMetadata).toMatchObject({
      mock: { region: 'eu' },
      annals: { status: 'recalled', revision: 7 },
    });
    expect(waiting).toHaveLength(1);
    read.resolve({ accepted: 2, batch_ids: [] });
    await waiting[0];
    expect(await storedThrough(server, memory)).toEqual(['user: Where do I live?', 'assistant: In Lisbon.']);
  });

  it('passes each part on as it comes', async () => {
    const parts = new TransformStream<string, string>();
    const writer = parts.writable.getWriter();
    const source = parts.readable.pipeThrough(
      new TransformStream({
        transform: (text: string, controller) => {
          if (text === '.') return controller.enqueue(streamParts('.').at(-1));
          controller.enqueue({ type: 'text-start', id: '0' });
          controller.enqueue({ type: 'text-delta', id: '0', delta: text });
        },
      }),
    );
    const { model } = remember(source);
    const { stream } = await model.doStream({ prompt: PROMPT });
    const reader = stream.getReader();
    void writer.write('Hel');
    expect((await reader.read()).value).toMatchObject({ type: 'text-start' });
    expect((await reader.read()).value).toMatchObject({ delta: 'Hel' });
    void writer.write('.');
    expect((await reader.read()).value).toMatchObject({ type: 'finish', providerMetadata: { annals: {} } });
  });

  const broken: [string, ReadableStream][] = [
    ['breaks', brokenStream()],
    ['tells of an error', streamOf([...streamParts('In Lis').slice(0, -1), errorFinish()])],
  ];
  it.each(broken)('that %s, stores the turn of the user and no half answer', async (_how, stream) => {
    const { memory, model } = remember(stream);
    await streamText({ model, prompt: 'Where?', onError: () => undefined }).consumeStream();
    expect(await storedThrough(server, memory)).toEqual(['user: Where?']);
  });

  it('that its reader leaves, stores the turn of the user and ends the stream of the model', async () => {
    const cancelled = Promise.withResolvers<unknown>();
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue({ type: 'ping' }),
      cancel: (reason) => cancelled.resolve(reason),
    });
    const { memory, model } = remember(endless);
    const { stream } = await model.doStream({ prompt: PROMPT });
    await stream.cancel('left');
    expect(await cancelled.promise).toBe('left');
    expect(await storedThrough(server, memory)).toEqual(['user: Hi.']);
  });
});

function brokenStream(): ReadableStream {
  const parts = streamParts('In Lis').slice(0, -1);
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else controller.error(new Error('reset'));
    },
  });
}

function errorFinish() {
  return { ...streamParts('').at(-1), finishReason: { unified: 'error', raw: undefined } };
}
