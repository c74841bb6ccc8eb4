import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildEmbeddings } from '../embeddings-answer.js';
import type { AnswerBehaviour, Behaviour } from './behaviour.js';
import { BehaviourSource } from './behaviour-source.js';
import { Exchange } from './exchange.js';
import { buildFailure, renderError } from './failure.js';
import type { FakeRequest } from './fake-request.js';
import { Journal, type JournalEntry } from './journal.js';
import { renderModels } from './list-models.js';
import { sendCompletion } from './send-completion.js';
import { type RateLimits, RateWindow } from './rate-window.js';
import { describeRequest, findRoute, readBody } from './parse-request.js';
import { type RequestFault, type ServerRules, findFault } from './request-rules.js';
import { type CountedUsage, PromptCache, chargeUsage, countFakeTokens, countInput, countUsage } from './usage.js';

export interface ModelServerOptions {
  rules: ServerRules;
  answer: (request: FakeRequest) => string | Promise<string>;
  /** Time before every answer, in ms. */
  latencyMs: number;
  limits: RateLimits | null;
  embeddingDimensions: number;
  now: () => number;
}

/** Handles requests of both APIs: rejects what a real server rejects, then applies the chosen behaviour. */
export class ModelServer {
  readonly journal = new Journal();
  readonly source = new BehaviourSource();
  private readonly cache = new PromptCache();
  private readonly open = new Set<Exchange>();
  private readonly windows = new Map<string, RateWindow>();
  private readonly counters = new WeakMap<JournalEntry, (text: string) => CountedUsage>();
  private count = 0;

  constructor(readonly options: ModelServerOptions) {}

  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = findRoute(message.method ?? '', message.url ?? '', message.headers);
    if (!route) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing is served here.');
      return;
    }
    const body = await readBody(message);
    this.count += 1;
    const { request, key } = describeRequest(route, message, body, this.count);
    const exchange = this.openExchange(request, response);
    const fault = this.source.outage ? null : findFault(request, key, this.options.rules);
    if (fault) this.refuse(exchange, fault);
    else await this.perform(exchange, this.source.outage ?? this.source.next(request));
  }

  /** Cuts all open connections, like an outage. */
  cutAll(): void {
    for (const exchange of this.open) exchange.cut();
  }

  private openExchange(request: FakeRequest, response: ServerResponse): Exchange {
    const requestId = `req_${String(request.number).padStart(8, '0')}`;
    const entry: JournalEntry = {
      request,
      requestId,
      receivedAt: this.options.now(),
      endedAt: null,
      action: 'nothing',
      status: null,
      ending: 'open',
      text: '',
      trickles: 0,
      usage: null,
      costNanoUsd: 0,
    };
    const exchange = new Exchange(response, entry, this.journal, this.options.now, (ended) => this.charge(ended));
    this.journal.open(entry);
    this.open.add(exchange);
    response.on('close', () => this.open.delete(exchange));
    return exchange;
  }

  private refuse(exchange: Exchange, { status, ...fault }: RequestFault): void {
    const { entry } = exchange;
    entry.action = `refused_${status}`;
    const body = renderError(entry.request.api, { status, requestId: entry.requestId, ...fault });
    exchange.send(status, this.describeHeaders(entry), body);
  }

  private async perform(exchange: Exchange, behaviour: Behaviour): Promise<void> {
    const { entry } = exchange;
    entry.action = describeBehaviour(behaviour);
    switch (behaviour.kind) {
      case 'hang':
        return;
      case 'reset':
        exchange.cut();
        return;
      case 'garbage':
        exchange.send(200, this.describeHeaders(entry), behaviour.body ?? '<html><body>Bad gateway</body></html>');
        return;
      case 'answer':
        await this.answer(exchange, behaviour);
        return;
      default: {
        const { status, headers, body } = this.fail(entry, behaviour);
        exchange.send(status, { ...this.describeIds(entry), ...headers }, body);
      }
    }
  }

  private fail({ request, requestId }: JournalEntry, behaviour: Parameters<typeof buildFailure>[1]) {
    return buildFailure(request.api, behaviour, requestId, this.options.now());
  }

  private async answer(exchange: Exchange, behaviour: AnswerBehaviour): Promise<void> {
    const { entry } = exchange;
    const { request } = entry;
    const window = this.window(request);
    if (window && !window.admit(countInput(request))) {
      const headers = { ...this.describeHeaders(entry), 'retry-after': `${Math.ceil(window.msToReset / 1_000)}` };
      exchange.send(429, headers, this.fail(entry, { kind: 'error', status: 429 }).body);
      return;
    }
    if (request.api === 'anthropic' && behaviour.stop === 'content_filter') {
      this.refuse(exchange, { status: 400, message: 'Output blocked by content filtering policy' });
      return;
    }
    await exchange.wait(behaviour.delayMs ?? this.options.latencyMs);
    if (request.endpoint !== 'generate') {
      this.answerOther(exchange, behaviour);
      return;
    }
    const cached = this.cache.measure(request, this.findModel(request));
    const count = (text: string): CountedUsage => countUsage(request, text, behaviour, cached);
    this.counters.set(entry, count);
    const text = behaviour.text ?? (await this.options.answer(request));
    await sendCompletion(exchange, behaviour, {
      headers: this.describeHeaders(entry),
      text,
      now: this.options.now(),
      count,
    });
  }

  private answerOther(exchange: Exchange, { text }: AnswerBehaviour): void {
    const { entry } = exchange;
    const answer = text === undefined ? this.buildOther(entry) : null;
    const headers = this.describeHeaders(entry);
    if (text !== undefined) exchange.send(200, headers, text);
    else if (answer !== null) exchange.send(200, headers, JSON.stringify(answer));
    else this.refuse(exchange, { status: 404, message: 'The model does not exist.' });
  }

  private buildOther(entry: JournalEntry): unknown {
    const { request } = entry;
    if (request.endpoint === 'models') {
      return renderModels(request.api, request.path, this.options.rules.models, this.options.now());
    }
    if (request.endpoint === 'count_tokens') return { input_tokens: countInput(request) };
    const { input, dimensions, encoding_format: encodingFormat } = request.body;
    const texts = (Array.isArray(input) ? input : [input]).map(String);
    const inputTokens = texts.reduce((total, text) => total + countFakeTokens(text), 0);
    entry.usage = { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, thinkingTokens: 0 };
    const length = typeof dimensions === 'number' ? dimensions : this.options.embeddingDimensions;
    return buildEmbeddings({ model: request.model, input: texts, encodingFormat: String(encodingFormat) }, length);
  }

  // A broken answer is billed for the part that was written; planned usage is not changed.
  private charge(entry: JournalEntry): void {
    if (entry.status !== 200) return;
    entry.usage ??= this.counters.get(entry)?.(entry.text) ?? null;
    if (!entry.usage) return;
    entry.costNanoUsd = chargeUsage(entry.usage, this.findModel(entry.request));
  }

  private findModel({ model }: FakeRequest) {
    return this.options.rules.models.find(({ id }) => id === model);
  }

  private window({ api, endpoint, model }: FakeRequest): RateWindow | undefined {
    const { limits, now } = this.options;
    if (!limits || endpoint === 'models' || endpoint === 'count_tokens') return undefined;
    const key = `${api} ${model}`;
    const window = this.windows.get(key) ?? new RateWindow(limits, now);
    this.windows.set(key, window);
    return window;
  }

  private describeHeaders(entry: JournalEntry): Record<string, string> {
    return { ...this.describeIds(entry), ...this.window(entry.request)?.describe(entry.request.api) };
  }

  private describeIds({ request, requestId }: JournalEntry): Record<string, string> {
    return request.api === 'anthropic' ? { 'request-id': requestId } : { 'x-request-id': requestId };
  }
}

function describeBehaviour(behaviour: Behaviour): string {
  if (behaviour.kind === 'error') return `error_${behaviour.status}`;
  if (behaviour.kind !== 'answer') return behaviour.kind;
  return behaviour.broken ? `broken_${behaviour.broken.how}` : (behaviour.stop ?? 'answer');
}
