import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ConversationMessage } from '../provider/llm-request.js';

/** Results of analysing the text of one message. */
export interface MessageAnalysis {
  readonly mood: number;
  readonly tokens: number;
}

const DEFAULT_CAPACITY = 20_000;
/** A prompt has two fixed texts; those of older prompt versions are evicted. */
const FIXED_TEXTS = 8;

/**
 * Caches the analysis of messages, so that messages shown again as context of the next batch are not analysed again
 * (docs/reference/extraction.md#cache-of-message-analyses). Keys contain a hash of the content, never the content; the
 * least recently used entries are evicted first.
 */
export class AnalysisCache {
  private readonly entries: LRUCache<string, MessageAnalysis>;
  private readonly fixedTexts = new LRUCache<string, number>({ max: FIXED_TEXTS });

  constructor(capacity = DEFAULT_CAPACITY) {
    this.entries = new LRUCache({ max: capacity });
  }

  get(message: Pick<ConversationMessage, 'id' | 'content'>): MessageAnalysis | undefined {
    return this.entries.get(buildKey(message));
  }

  set(message: Pick<ConversationMessage, 'id' | 'content'>, analysis: MessageAnalysis): void {
    this.entries.set(buildKey(message), analysis);
  }

  /** Tokens of a text that is part of every prompt, estimated once per text. */
  estimateCached(text: string, estimateTokens: (text: string) => number): number {
    const known = this.fixedTexts.get(text);
    if (known !== undefined) return known;
    const tokens = estimateTokens(text);
    this.fixedTexts.set(text, tokens);
    return tokens;
  }
}

function buildKey({ id, content }: Pick<ConversationMessage, 'id' | 'content'>): string {
  return `${hash('sha256', content, 'base64url')}:${id}`;
}
