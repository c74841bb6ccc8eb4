import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../parsing/json-tree.js';
import type { TokenUsage } from '../provider/llm-response.js';
import { readOpenAIUsage } from '../providers/openai/openai-usage.js';
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
    const texts = choices.map(({ message }) => readContent((message as JsonObject | undefined)?.['content']));
    return { texts, usage: readOpenAIUsage(completion['usage']), isComplete: choices.length > 0 };
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
      const piece = (delta as JsonObject | undefined)?.['content'];
      if (typeof piece === 'string') (this.texts[toIndex(index)] ??= []).push(piece);
    }
    this.usage = readOpenAIUsage(chunk['usage']) ?? this.usage;
  }
}

/** More choices than any API gives are not counted apart. */
const MAX_CHOICES = 128;

function toIndex(index: unknown): number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MAX_CHOICES ? index : 0;
}

function readChoices({ choices }: JsonObject): JsonObject[] {
  return Array.isArray(choices) ? choices.filter(isJsonObject) : [];
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
