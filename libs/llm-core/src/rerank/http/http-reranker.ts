import { LLMError } from '../../provider/llm-error.js';
import {
  estimateRerankTokens,
  type RerankAnswer,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
} from '../reranker.js';
import { type ScoreScale, toProbabilities } from '../to-probability.js';
import { mapHttpError, mapHttpStatus } from './map-http-error.js';
import { parseBareScores, parseRankedScores, type ParsedScores } from './parse-scores.js';

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
      if (!response.ok) throw mapHttpStatus(response, this.name);
      const parseScores = this.options.api === 'tei' ? parseBareScores : parseRankedScores;
      const scores = parseScores(await readJson(response), request.documents.length);
      if (!scores) throw new LLMError('transient', 'The rerank server sent a response that could not be parsed.');
      return scores;
    } catch (error) {
      signal.throwIfAborted();
      throw mapHttpError(error, this.name);
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
