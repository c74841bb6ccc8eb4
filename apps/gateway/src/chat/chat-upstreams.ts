import { ProblemError } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { AnthropicChat, type ChatUpstream, OpenAiChat, type PricedModel } from '@annals/llm-core';
import { CLOCK, CONFIG } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { readHeader } from './chat-request.js';

/** An upstream, and the key that a request uses there. */
export interface ChosenUpstream {
  readonly upstream: ChatUpstream;
  /** The provider’s name in Annals, for prices, budgets and metrics. */
  readonly provider: PricedModel['provider'];
  readonly apiKey: string;
  /** Who pays: we do, the caller with a key of their own does, or nobody. */
  readonly billing: 'ours' | 'callers' | 'free';
}

/** Servers that need no key get one that is none. */
const NO_KEY = 'none';

/** The models behind chat completions, by the name of the model. */
@Injectable()
export class ChatUpstreams {
  private readonly openai: ChatUpstream;
  /** Made when it is first asked: its SDK takes memory and time to load. */
  private anthropic: ChatUpstream | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.openai = new OpenAiChat({ baseUrl: config.chat.upstreamUrl, userAgent: 'annals' });
  }

  /** Throws `upstream_key_missing`. */
  choose(model: string, headers: FastifyRequest['headers']): ChosenUpstream {
    const isClaude = /^claude/i.test(model) && this.config.chat.claudeUpstream === 'anthropic';
    return isClaude ? this.chooseAnthropic(headers) : this.chooseOpenAi(headers);
  }

  /** Every upstream that the request has a key for. */
  list(headers: FastifyRequest['headers']): ChosenUpstream[] {
    const own = readHeader(headers, 'x-annals-upstream-key') !== undefined;
    const { upstreamKey, upstreamFree, anthropicKey, claudeUpstream } = this.config.chat;
    const chosen = [
      ...(own || upstreamKey !== undefined || upstreamFree ? [this.chooseOpenAi(headers)] : []),
      ...(!own && anthropicKey !== undefined && claudeUpstream === 'anthropic' ? [this.chooseAnthropic(headers)] : []),
    ];
    if (chosen.length === 0) throw keyMissing('ANNALS_CHAT_UPSTREAM_KEY');
    return chosen;
  }

  /** Ends their connections, and whatever still runs on them. */
  async close(): Promise<void> {
    await Promise.all([this.openai.close(), this.anthropic?.close()]);
  }

  private chooseOpenAi(headers: FastifyRequest['headers']): ChosenUpstream {
    const { upstreamKey, upstreamFree } = this.config.chat;
    const ours = upstreamKey ?? (upstreamFree ? NO_KEY : undefined);
    const { apiKey, billing } = chooseKey(headers, ours, 'ANNALS_CHAT_UPSTREAM_KEY');
    const isFree = billing === 'ours' && upstreamFree;
    return { upstream: this.openai, provider: 'openai', apiKey, billing: isFree ? 'free' : billing };
  }

  private chooseAnthropic(headers: FastifyRequest['headers']): ChosenUpstream {
    const key = chooseKey(headers, this.config.chat.anthropicKey, 'ANNALS_CHAT_ANTHROPIC_KEY');
    const { anthropicUrl: baseUrl, timeoutMs, maxOutputTokens } = this.config.chat;
    this.anthropic ??= new AnthropicChat({ baseUrl, timeoutMs, defaultMaxTokens: maxOutputTokens, clock: this.clock });
    return { upstream: this.anthropic, provider: 'claude', ...key };
  }
}

function chooseKey(headers: FastifyRequest['headers'], ours: string | undefined, variable: string) {
  const own = readHeader(headers, 'x-annals-upstream-key');
  if (own !== undefined) return { apiKey: own, billing: 'callers' as const };
  if (ours !== undefined) return { apiKey: ours, billing: 'ours' as const };
  throw keyMissing(variable);
}

function keyMissing(variable: string): ProblemError {
  return new ProblemError(
    'upstream_key_missing',
    `No key of the upstream is known: send one in X-Annals-Upstream-Key, or ask the operator to set ${variable}.`,
  );
}

/** Headers that mean the same under any key. */
const FORWARDED_HEADERS = /^(?:accept|x-stainless-.+|x-client-request-id)$/;
/**
 * Headers that choose who pays, or what is paid for, and keys that an upstream tells apart by account: only a caller
 * with an account of their own may send them.
 */
const HEADERS_OF_ACCOUNT = /^(?:openai-(?:organization|project|beta)|anthropic-beta|idempotency-key)$/;

export function forwardHeaders(
  headers: FastifyRequest['headers'],
  billing: ChosenUpstream['billing'],
): Record<string, string> {
  const forwarded = Object.entries(headers).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    const isForwarded = FORWARDED_HEADERS.test(name) || (billing === 'callers' && HEADERS_OF_ACCOUNT.test(name));
    return isForwarded && typeof value === 'string';
  });
  return Object.fromEntries(forwarded);
}
