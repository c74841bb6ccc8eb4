import type { Clock, Timer } from '@annals/domain';
import {
  LLMError,
  type LLMProvider,
  type LLMRequest,
  type LLMResponse,
  parseAnswer,
  type ParsedAnswer,
  StreamAssembler,
} from '@annals/llm-core';
import type { AnsweredCall } from '@annals/runtime';

/** A stream that sends nothing for this time is aborted as a timeout, in ms. */
export const STREAM_IDLE_TIMEOUT_MS = 20_000;

export interface ReceivedAnswer {
  readonly response: LLMResponse;
  /** Incomplete: it was cut at the output limit, or its stream ended within an open brace. */
  readonly truncated: boolean;
  /** The stream ended before the JSON did: parsing it is a stream repair. */
  readonly needsStreamRepair: boolean;
  /** The error of the stream; such an answer is not parsed. */
  readonly problem?: string;
  /** By the monotonic clock, in ms: when the request was sent, and when the last chunk had arrived. */
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

export interface ReceiveOptions {
  readonly clock: Clock;
  readonly streaming: boolean;
  /** Called at the first chunk of text, with the time since the request was sent, in ms. */
  readonly onFirstToken: (firstTokenMs: number) => void;
}

/** Sends the request and receives the answer, streamed if possible. @throws LLMError */
export async function receiveAnswer(
  provider: LLMProvider,
  request: LLMRequest,
  options: ReceiveOptions,
): Promise<ReceivedAnswer> {
  const { clock } = options;
  const sentAtMs = clock.monotonicNow();
  if (!options.streaming || !provider.stream || !provider.getCapabilities().streaming) {
    const response = await provider.send(request);
    const truncated = response.finishReason === 'length';
    return { response, truncated, needsStreamRepair: false, sentAtMs, receivedAtMs: clock.monotonicNow() };
  }
  return receiveStream(provider, request, options, sentAtMs);
}

async function receiveStream(
  provider: LLMProvider,
  request: LLMRequest,
  { clock, onFirstToken }: ReceiveOptions,
  sentAtMs: number,
): Promise<ReceivedAnswer> {
  const assembler = new StreamAssembler();
  const idleTimer = new IdleTimer(provider.name, clock);
  let problem: string | undefined;
  // An invalid stream is read to its end, since only the end contains the usage.
  const attempt = (step: () => void) => {
    if (problem !== undefined) return;
    try {
      step();
    } catch (error) {
      if (!(error instanceof LLMError)) throw error;
      problem = error.message;
    }
  };
  attempt(() => assembler.start());
  try {
    const signal = AbortSignal.any([request.signal, idleTimer.signal]);
    const response = await provider.stream!(
      { ...request, signal },
      {
        onFirstToken,
        onText: (chunk) => {
          idleTimer.restart();
          attempt(() => assembler.push(chunk));
        },
      },
    );
    const receivedAtMs = clock.monotonicNow();
    let complete = false;
    attempt(() => {
      complete = assembler.stop().complete;
    });
    return {
      response,
      truncated: response.finishReason === 'length' || !complete,
      needsStreamRepair: problem === undefined && !complete,
      ...(problem === undefined ? {} : { problem }),
      sentAtMs,
      receivedAtMs,
    };
  } finally {
    idleTimer.stop();
  }
}

/** Starts with the first chunk of text: before it, a model may think for as long as the call's timeout allows. */
class IdleTimer {
  private readonly controller = new AbortController();
  private timer: Timer | undefined;

  constructor(
    private readonly provider: string,
    private readonly clock: Clock,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    if (this.timer) {
      this.timer.restart();
      return;
    }
    const { provider } = this;
    const message = `${provider} sent nothing for ${STREAM_IDLE_TIMEOUT_MS} ms within an answer.`;
    this.timer = this.clock.startTimer(STREAM_IDLE_TIMEOUT_MS, () =>
      this.controller.abort(new LLMError('timeout', message, { provider })),
    );
  }

  stop(): void {
    this.timer?.stop();
  }
}

/** A parsed answer. `call` is settled in the transaction that writes it; null when nothing was reserved. */
export interface ModelAnswer {
  readonly provider: LLMProvider;
  readonly received: ReceivedAnswer;
  readonly answer: ParsedAnswer;
  readonly call: AnsweredCall<ReceivedAnswer> | null;
}

/** The parsed answer, or a parsing error whose message contains nothing of the answer. */
export type ParseResult = ParseTimes &
  (
    | { readonly understood: true; readonly answer: ParsedAnswer }
    | { readonly understood: false; readonly error: LLMError }
  );

/** By the monotonic clock, in ms. */
interface ParseTimes {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Parses a received answer. `messageIds` maps the prompt's short names to ids; a local provider cites ids. */
export function parseReceived(
  received: ReceivedAnswer,
  clock: Clock,
  messageIds?: ReadonlyMap<string, string>,
): ParseResult {
  const startedAtMs = clock.monotonicNow();
  const { response, truncated, problem } = received;
  try {
    if (problem !== undefined) throw new LLMError('parsing', problem);
    const answer = parseAnswer(response.text, { truncated, ...(messageIds ? { messageIds } : {}) });
    return { understood: true, answer, startedAtMs, endedAtMs: clock.monotonicNow() };
  } catch (error) {
    if (!(error instanceof LLMError)) throw error;
    return { understood: false, error, startedAtMs, endedAtMs: clock.monotonicNow() };
  }
}
