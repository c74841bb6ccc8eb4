import { createParser } from 'eventsource-parser';
import type { TokenUsage } from '../provider/llm-response.js';
import type { ChatOutcome } from './chat-upstream.js';
import { readContent } from './read-chat-body.js';

/** Reads along while an answer in OpenAI’s form goes to its client. */
export interface AnswerObserver {
  observe(chunk: Uint8Array): void;
  outcome(): ChatOutcome;
}

export function observeAnswer(status: number, contentType: string): AnswerObserver {
  if (status >= 400)
    return { observe: () => undefined, outcome: () => ({ texts: [], usage: undefined, isComplete: false }) };
  return contentType.startsWith('text/event-stream') ? new StreamObserver() : new DocumentObserver();
}

class DocumentObserver implements AnswerObserver {
  private readonly chunks: Uint8Array[] = [];

  observe(chunk: Uint8Array): void {
    this.chunks.push(chunk);
  }

  outcome(): ChatOutcome {
    const completion = parse(Buffer.concat(this.chunks).toString());
    if (completion === null) return { texts: [], usage: undefined, isComplete: false };
    const choices = readChoices(completion);
    const texts = choices.map(({ message }) => readContent((message as Fields | undefined)?.['content']));
    return { texts, usage: readUsage(completion['usage']), isComplete: choices.length > 0 };
  }
}

class StreamObserver implements AnswerObserver {
  private readonly decoder = new TextDecoder();
  private readonly parser = createParser({ onEvent: ({ data }) => this.read(data) });
  private readonly texts: string[][] = [];
  private usage: TokenUsage | undefined;
  private isComplete = false;

  observe(chunk: Uint8Array): void {
    this.parser.feed(this.decoder.decode(chunk, { stream: true }));
  }

  outcome(): ChatOutcome {
    const texts = Array.from(this.texts, (pieces: string[] | undefined) => pieces?.join('') ?? '');
    return { texts, usage: this.usage, isComplete: this.isComplete };
  }

  private read(data: string): void {
    if (data === '[DONE]') {
      this.isComplete = true;
      return;
    }
    const chunk = parse(data);
    if (chunk === null) return;
    for (const { index, delta, finish_reason: finish } of readChoices(chunk)) {
      // Not every server sends [DONE].
      if (typeof finish === 'string') this.isComplete = true;
      const piece = (delta as Fields | undefined)?.['content'];
      if (typeof piece === 'string') (this.texts[toIndex(index)] ??= []).push(piece);
    }
    this.usage = readUsage(chunk['usage']) ?? this.usage;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** More choices than any API gives are not counted apart. */
const MAX_CHOICES = 128;

function toIndex(index: unknown): number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MAX_CHOICES ? index : 0;
}

function readChoices({ choices }: Fields): Fields[] {
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'object' && choice !== null) : [];
}

function parse(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** `prompt_tokens` includes what was read from the cache or written to it; `completion_tokens` includes reasoning. */
function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage as Fields;
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  const { cached_tokens: read, cache_write_tokens: written } = (details ?? {}) as Fields;
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: typeof read === 'number' ? read : 0,
    cacheWriteTokens: typeof written === 'number' ? written : 0,
  };
}
