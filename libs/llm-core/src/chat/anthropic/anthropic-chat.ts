import { loadSdk } from '../../provider/load-sdk.js';
import type { ChatAnswer, ChatRequest, ChatUpstream } from '../chat-upstream.js';
import type { MessagesApi, MessagesApiOptions } from './messages-api.js';

export type AnthropicChatOptions = MessagesApiOptions;

/**
 * Claude behind OpenAI’s form of a chat. A field that Claude does not have is left out and named in the header
 * `x-annals-ignored`, or refused with status 400.
 */
export class AnthropicChat implements ChatUpstream {
  private readonly api: Promise<MessagesApi>;

  constructor(options: AnthropicChatOptions) {
    this.api = loadSdk('claude', async () => new (await import('./messages-api.js')).MessagesApi(options));
  }

  async complete(request: ChatRequest): Promise<ChatAnswer> {
    return (await this.api).complete(request);
  }

  async listModels(request: Pick<ChatRequest, 'apiKey' | 'signal'>): Promise<ChatAnswer> {
    return (await this.api).listModels(request);
  }

  async close(): Promise<void> {
    await (await this.api).close();
  }
}
