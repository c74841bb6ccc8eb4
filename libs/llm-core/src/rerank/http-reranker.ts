import { z } from 'zod';
import { LLMError } from '../provider/llm-error.js';
import { describeFailure, mapNetworkError, typeOfStatus } from '../provider/map-failure.js';
import {
  estimateRerankTokens,
  type RerankAnswer,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
  type ScoreScale,
  toProbabilities,
} from './reranker.js';

/**
 * API of the rerank server. `cohere`: Cohere, Jina, vLLM and llama.cpp (`documents`, `results[].relevance_score`);
 * `tei`: text-embeddings-inference (`texts`, a bare array).
 */
export const RERANK_APIS = ['cohere', 'tei'] as const;
export type RerankApi = (typeof RERANK_APIS)[number];

export interface HttpRerankerOptions {
  readonly api: RerankApi;
  /** The full URL, such as `https://api.cohere.com/v2/rerank`. */
  readonly url: string;
  readonly apiKey?: string;
  /** Model name, sent to the server; it also identifies the scale of the scores. */
  readonly model: string;
  readonly scale: ScoreScale;
  /** Cost of one request, in integer micro-USD. */
  readonly microUsdPerRequest: number;
}

const MAX_RETRY_AFTER_S = 3_600;

/** Maximum documents per request. Cohere charges one search unit for up to 100; TEI accepts 32 by default. */
const MAX_DOCUMENTS_PER_REQUEST: Readonly<Record<RerankApi, number>> = { cohere: 100, tei: 32 };

/** Reranker over HTTP. More documents than one request accepts are sent in several concurrent requests. */
export class HttpReranker implements Reranker {
  readonly name = 'rerank';
  readonly model: string;

  constructor(private readonly options: HttpRerankerOptions) {
    this.model = options.model;
  }

  /** @throws LLMError, or the signal's reason when it was aborted */
  async rerank(request: RerankRequest, { signal }: RerankOptions): Promise<RerankAnswer> {
    signal.throwIfAborted();
    const parts = this.split(request);
    const answers = await Promise.all(parts.map((part) => this.requestOnce(part, signal)));
    const scores = toProbabilities(
      answers.flatMap((answer) => answer.scores),
      this.options.scale,
    );
    const counted = answers.every(({ tokens }) => tokens !== undefined);
    const usage = {
      inputTokens: counted
        ? answers.reduce((total, { tokens = 0 }) => total + tokens, 0)
        : estimateRerankTokens(request),
      ...(counted ? {} : { estimated: true as const }),
      costMicroUsd: this.estimateMaxCost(request),
    };
    return { scores, usage };
  }

  estimateMaxCost(request: RerankRequest): number {
    return this.split(request).length * this.options.microUsdPerRequest;
  }

  private split({ query, documents }: RerankRequest): RerankRequest[] {
    const size = MAX_DOCUMENTS_PER_REQUEST[this.options.api];
    return Array.from({ length: Math.ceil(documents.length / size) }, (_, part) => ({
      query,
      documents: documents.slice(part * size, (part + 1) * size),
    }));
  }

  private async requestOnce(request: RerankRequest, signal: AbortSignal): Promise<ParsedScores> {
    try {
      const response = await this.send(request, signal);
      if (!response.ok) throw mapErrorStatus(response, this.name);
      const scores = parseScores(this.options.api, await readJson(response), request.documents.length);
      if (!scores) throw new LLMError('transient', 'The rerank server sent a response that could not be parsed.');
      return scores;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof LLMError ? error : mapNetworkError(error, this.name);
    }
  }

  private send({ query, documents }: RerankRequest, signal: AbortSignal): Promise<Response> {
    const { api, url, apiKey, model } = this.options;
    const body =
      api === 'tei'
        ? { query, texts: documents, truncate: true }
        : { model, query, documents, top_n: documents.length };
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      // A redirect could carry the key and user content to another host.
      redirect: 'error',
      signal,
    });
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body is dropped, because servers quote the input in error messages. */
function mapErrorStatus({ status, headers }: Response, provider: string): LLMError {
  const type = typeOfStatus(status);
  const seconds = Number(headers.get('retry-after'));
  const hint = seconds > 0 && seconds <= MAX_RETRY_AFTER_S ? { retryAfterMs: seconds * 1_000 } : {};
  return new LLMError(type, describeFailure(type, provider, status), { provider, status, ...hint });
}

const index = z.number().int().min(0);
const ANSWERS = {
  cohere: z
    .object({
      results: z.array(z.object({ index, relevance_score: z.number() })),
      usage: z.object({ prompt_tokens: z.number().optional(), total_tokens: z.number().optional() }).nullish(),
    })
    .transform(({ results, usage }) => ({
      results: results.map(({ index: position, relevance_score: score }) => ({ index: position, score })),
      tokens: usage?.total_tokens ?? usage?.prompt_tokens,
    })),
  tei: z.array(z.object({ index, score: z.number() })).transform((results) => ({ results, tokens: undefined })),
} satisfies Record<RerankApi, z.ZodType>;

/** Scores in the order of the documents, on the scale of the server; tokens if the server reports them. */
interface ParsedScores {
  readonly scores: readonly number[];
  readonly tokens: number | undefined;
}

/** Undefined unless every document has exactly one score. Some servers sort by score, so only the index counts. */
function parseScores(api: RerankApi, body: unknown, count: number): ParsedScores | undefined {
  const { success, data } = ANSWERS[api].safeParse(body);
  if (!success) return undefined;
  const byIndex = new Map(data.results.map(({ index: position, score }) => [position, score]));
  if (data.results.length !== count || byIndex.size !== count) return undefined;
  const scores = Array.from({ length: count }, (_, position) => byIndex.get(position));
  return scores.every((score) => score !== undefined) ? { scores, tokens: data.tokens } : undefined;
}
