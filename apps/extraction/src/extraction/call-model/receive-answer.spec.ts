import { ManualClock } from '@annals/domain';
import { LLMError, type LLMProvider, type LLMRequest, type LLMResponse, type StreamHandlers } from '@annals/llm-core';
import { parseReceived, receiveAnswer, STREAM_IDLE_TIMEOUT_MS } from './receive-answer.js';

const ANSWER = '{"schemaVersion":"memory_llm_response_v1","memories":[]}';
const request = { requestId: 'r', signal: new AbortController().signal } as LLMRequest;

/** A provider that streams what `play` sends, with only the members that `receiveAnswer` uses. */
function createStreamer(
  play: (handlers: StreamHandlers, signal: AbortSignal) => Promise<Partial<LLMResponse>>,
): LLMProvider {
  return {
    name: 'claude',
    getCapabilities: () => ({ streaming: true, remote: true }),
    stream: async ({ signal }: LLMRequest, handlers: StreamHandlers) => ({
      text: '',
      finishReason: 'stop',
      costMicroUsd: 9,
      ...(await play(handlers, signal)),
    }),
  } as unknown as LLMProvider;
}

const streamPieces = (pieces: readonly string[], more: Partial<LLMResponse> = {}) =>
  createStreamer(async (handlers) => {
    handlers.onFirstToken?.(7);
    for (const piece of pieces) handlers.onText(piece);
    return { text: pieces.join(''), ...more };
  });

describe('receiveAnswer', () => {
  const onFirstToken = vi.fn();
  let clock: ManualClock;
  beforeEach(() => {
    onFirstToken.mockClear();
    clock = new ManualClock();
  });
  const receive = (provider: LLMProvider) => receiveAnswer(provider, request, { clock, streaming: true, onFirstToken });

  it('receives a streamed answer, and reports the time of its first chunk', async () => {
    const received = await receive(streamPieces(['{"schemaVersion":"memory_', 'llm_response_v1","memories":[]}']));
    expect(received).toMatchObject({ truncated: false, needsStreamRepair: false });
    expect(received).not.toHaveProperty('problem');
    expect(onFirstToken.mock.calls).toEqual([[7]]);
  });

  it('marks an answer as truncated that was cut at the output limit, or within an open brace', async () => {
    const cut = await receive(streamPieces([ANSWER.slice(0, 30)], { finishReason: 'length' }));
    expect(cut).toMatchObject({ truncated: true, needsStreamRepair: true });
    const ended = await receive(streamPieces([ANSWER.slice(0, 30)]));
    expect(ended).toMatchObject({ truncated: true, needsStreamRepair: true });
  });

  it('reads an invalid stream to its end, which contains the usage', async () => {
    const received = await receive(streamPieces([ANSWER, ' and more', ' and more']));
    expect(received.response.costMicroUsd).toBe(9);
    expect(received.problem).toBe('There is text after the end of the answer.');
    expect(parseReceived(received, clock)).toMatchObject({ understood: false, error: { type: 'parsing' } });
  });

  it('treats a stream that sends nothing for the idle timeout as a timeout', async () => {
    const received: string[] = [];
    const silent = createStreamer(async (handlers, signal) => {
      for (const piece of ['{', '"schemaVersion"']) {
        handlers.onText(piece);
        received.push(piece);
        clock.advance(STREAM_IDLE_TIMEOUT_MS - 1);
        signal.throwIfAborted();
      }
      clock.advance(1);
      signal.throwIfAborted();
      return {};
    });
    await expect(receive(silent)).rejects.toMatchObject({ name: 'LLMError', type: 'timeout' });
    expect(received).toHaveLength(2);
    expect(clock.waiting).toBe(0);
  });

  it('does not apply the idle timeout before the first chunk', async () => {
    const slow = createStreamer(async (handlers, signal) => {
      clock.advance(10 * STREAM_IDLE_TIMEOUT_MS);
      signal.throwIfAborted();
      handlers.onText(ANSWER);
      return { text: ANSWER };
    });
    const received = await receive(slow);
    expect(received.truncated).toBe(false);
    expect(received.receivedAtMs - received.sentAtMs).toBe(10 * STREAM_IDLE_TIMEOUT_MS);
    expect(clock.waiting).toBe(0);
  });

  it('throws the error of the provider', async () => {
    const failing = createStreamer(() => Promise.reject(new LLMError('transient', 'x')));
    await expect(receive(failing)).rejects.toMatchObject({ type: 'transient' });
  });
});
