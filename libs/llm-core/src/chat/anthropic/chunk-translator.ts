import type { RawContentBlockDelta, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { JsonObject } from '../../parsing/json-tree.js';
import type { TokenUsage } from '../../provider/llm-response.js';
import { type ClaudeUsage, mergeUsage, sumUsage } from '../../providers/claude/claude-usage.js';
import { describeRefusal, translateStopReason } from './finish-reason.js';
import type { AnswerContext } from './translate-answer.js';
import { translateUsage } from './translate-usage.js';

interface StreamContext extends AnswerContext {
  readonly hasUsage: boolean;
}

/** Translates the events of a stream into chunks, each at once. */
export class ChunkTranslator {
  private id = '';
  private model = '';
  private claudeUsage: ClaudeUsage = {};
  private thinkingTokens = 0;
  private written = '';
  private calls = 0;
  private thinkingBlocks = 0;
  /** The block of thinking that is being written. */
  private thinking: { thinking: string; signature: string } | undefined;
  private ended = false;

  constructor(private readonly context: StreamContext) {}

  get text(): string {
    return this.written;
  }

  get usage(): TokenUsage | undefined {
    return sumUsage(this.claudeUsage);
  }

  /** Whether the last event was translated. */
  get hasEnded(): boolean {
    return this.ended;
  }

  translate(event: RawMessageStreamEvent): JsonObject[] {
    switch (event.type) {
      case 'message_start':
        this.id = event.message.id;
        this.model = event.message.model;
        this.claudeUsage = mergeUsage(this.claudeUsage, event.message.usage);
        return [this.buildChunk({ role: 'assistant', content: '' })];
      case 'content_block_start':
        return this.startBlock(event.content_block);
      case 'content_block_delta':
        return this.continueBlock(event.delta);
      case 'content_block_stop':
        return this.stopBlock();
      case 'message_delta':
        // Usage is cumulative: the last event counts.
        this.claudeUsage = mergeUsage(this.claudeUsage, event.usage);
        this.thinkingTokens = event.usage?.output_tokens_details?.thinking_tokens ?? this.thinkingTokens;
        return this.finish(event.delta);
      case 'message_stop':
        this.ended = true;
        return this.tellUsage();
      default:
        return [];
    }
  }

  private startBlock(block: JsonObject | { readonly type: string }): JsonObject[] {
    const { type, id, name, text, data, thinking, signature } = block as JsonObject;
    switch (type) {
      case 'text':
        return typeof text === 'string' ? this.addText(text) : [];
      case 'thinking':
        this.thinking = { thinking: '', signature: typeof signature === 'string' ? signature : '' };
        return typeof thinking === 'string' ? this.addThinking(thinking) : [];
      case 'redacted_thinking':
        return [this.tellThinking({ type, data })];
      case 'tool_use':
        return [this.startCall(id, name)];
      default:
        return [];
    }
  }

  private continueBlock(delta: RawContentBlockDelta): JsonObject[] {
    switch (delta.type) {
      case 'text_delta':
        return this.addText(delta.text);
      case 'thinking_delta':
        return this.addThinking(delta.thinking);
      case 'signature_delta':
        if (this.thinking) this.thinking.signature += delta.signature;
        return [];
      case 'input_json_delta':
        return delta.partial_json === '' ? [] : [this.continueCall(delta.partial_json)];
      default:
        return [];
    }
  }

  /** A block of thinking is told as a whole, because clients send it back and its signature fits nothing else. */
  private stopBlock(): JsonObject[] {
    if (!this.thinking) return [];
    const block = { type: 'thinking', ...this.thinking };
    this.thinking = undefined;
    return [this.tellThinking(block)];
  }

  private tellThinking(block: JsonObject): JsonObject {
    this.thinkingBlocks += 1;
    return this.buildChunk({ thinking_blocks: [{ index: this.thinkingBlocks - 1, ...block }] });
  }

  private addThinking(thinking: string): JsonObject[] {
    if (!this.thinking || thinking === '') return [];
    this.thinking.thinking += thinking;
    return [this.buildChunk({ reasoning_content: thinking })];
  }

  private addText(text: string): JsonObject[] {
    if (text === '') return [];
    this.written += text;
    return [this.buildChunk({ content: text })];
  }

  private startCall(id: unknown, name: unknown): JsonObject {
    this.calls += 1;
    const called = { name, arguments: '' };
    if (this.context.usesFunctions) return this.buildChunk({ function_call: called });
    return this.buildChunk({ tool_calls: [{ index: this.calls - 1, id, type: 'function', function: called }] });
  }

  private continueCall(piece: string): JsonObject {
    const called = { arguments: piece };
    if (this.context.usesFunctions) return this.buildChunk({ function_call: called });
    return this.buildChunk({ tool_calls: [{ index: this.calls - 1, function: called }] });
  }

  private finish(delta: Extract<RawMessageStreamEvent, { type: 'message_delta' }>['delta']): JsonObject[] {
    const { stop_reason: reason, stop_details: stop } = delta;
    const last = this.buildChunk({}, translateStopReason(reason, this.context.usesFunctions));
    return reason === 'refusal' ? [this.buildChunk({ refusal: describeRefusal(stop?.explanation) }), last] : [last];
  }

  private tellUsage(): JsonObject[] {
    const { usage } = this;
    if (!this.context.hasUsage || !usage) return [];
    return [{ ...this.describe(), choices: [], usage: translateUsage(usage, this.thinkingTokens) }];
  }

  private buildChunk(delta: JsonObject, finishReason: string | null = null): JsonObject {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
    return { ...this.describe(), choices, ...(this.context.hasUsage ? { usage: null } : {}) };
  }

  private describe(): JsonObject {
    return { id: this.id, object: 'chat.completion.chunk', created: this.context.created, model: this.model };
  }
}
