import { LLMError } from '../provider/llm-error.js';
import { StructureTracker } from './structure-tracker.js';
import type { StructuralDepth } from './structure-tracker.js';

/** In UTF-16 units (docs/reference/streaming-and-repair.md#stream-length-limit). */
export const MAX_STREAM_LENGTH = 100_000;

/**
 * States of a stream (docs/reference/streaming-and-repair.md#stream-states). `awaiting_close`: the answer is
 * structurally complete, only the end of the stream is missing.
 */
export type StreamState = 'awaiting_start' | 'in_chunk' | 'awaiting_close' | 'complete' | 'error';

/** A streamed answer after its end; `complete` and `truncated` are mutually exclusive. */
export interface AssembledStream {
  readonly text: string;
  /** Whether all brackets are closed. If not, parsing counts as a stream repair (`stream_repair_attempt`). */
  readonly complete: boolean;
  /** The stream ended inside the answer. */
  readonly truncated: boolean;
  readonly chunkCount: number;
}

/** A snapshot for logs and tests (docs/reference/streaming-and-repair.md#stream-snapshot); contains no text. */
export interface StreamMetrics {
  readonly state: StreamState;
  readonly bufferSize: number;
  readonly chunkCount: number;
  readonly structuralDepth: StructuralDepth;
  readonly inString: boolean;
}

/**
 * Assembles a streamed answer (docs/reference/streaming-and-repair.md#stream-states): `start`, any number of `push`,
 * then `stop` or `fail`. Each character is scanned once. Timeouts are up to the caller.
 */
export class StreamAssembler {
  private state: StreamState = 'awaiting_start';
  private buffer = '';
  private chunkCount = 0;
  private readonly structure = new StructureTracker();

  /** @throws LLMError `parsing` when the stream has already started */
  start(): void {
    if (this.state !== 'awaiting_start') this.failInvalidState('start');
    this.state = 'in_chunk';
  }

  /** @throws LLMError `parsing` in a wrong state, past the length limit, or after the end of the answer */
  push(text: string): void {
    if (this.state !== 'in_chunk' && this.state !== 'awaiting_close') this.failInvalidState('text');
    this.chunkCount += 1;
    if (this.buffer.length + text.length > MAX_STREAM_LENGTH) {
      this.failStream(`The answer is longer than ${MAX_STREAM_LENGTH} characters.`);
    }
    this.buffer += text;
    if (!this.structure.read(text)) this.failStream('There is text after the end of the answer.');
    if (this.structure.isClosed) this.state = 'awaiting_close';
  }

  /** Ends the stream. @throws LLMError `parsing` in a wrong state */
  stop(): AssembledStream {
    if (this.state !== 'in_chunk' && this.state !== 'awaiting_close') this.failInvalidState('end');
    const complete = this.state === 'awaiting_close';
    this.state = 'complete';
    return { text: this.buffer, complete, truncated: !complete, chunkCount: this.chunkCount };
  }

  /** Marks the stream as failed: nothing more is accepted. The text received so far remains available in `text`. */
  fail(): void {
    this.state = 'error';
  }

  /** The text received so far. */
  get text(): string {
    return this.buffer;
  }

  metrics(): StreamMetrics {
    return {
      state: this.state,
      bufferSize: this.buffer.length,
      chunkCount: this.chunkCount,
      structuralDepth: this.structure.depth,
      inString: this.structure.inString,
    };
  }

  private failInvalidState(event: 'start' | 'text' | 'end'): never {
    this.failStream(`The stream sent its ${event} in state ${this.state}.`);
  }

  private failStream(problem: string): never {
    this.state = 'error';
    throw new LLMError('parsing', problem);
  }
}
