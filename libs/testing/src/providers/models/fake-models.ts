import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Behaviour, Endpoint } from './behaviour.js';
import type { BehaviourRule } from './behaviour-source.js';
import { CONTROL_PATH, handleControlCommand } from './control.js';
import { answerFromPrompt } from './default-answer.js';
import type { FakeRequest } from './fake-request.js';
import type { Journal } from './journal.js';
import { type FakeModel, KNOWN_MODELS } from './known-models.js';
import type { MisbehaviourMix } from './misbehaviours.js';
import { ModelServer } from './model-server.js';
import type { RateLimits } from './rate-window.js';
import type { Refusable, ServerRules } from './request-rules.js';

/** Everything but the functions can come from another process as JSON. */
export interface FakeModelsSettings {
  /** In place of `KNOWN_MODELS`. */
  models?: readonly FakeModel[];
  /** Keys that are accepted; without it any. */
  keys?: readonly string[];
  /** Parameters this server answers with 400. */
  refuses?: readonly Refusable[];
  /** A compatible server (vLLM, Ollama, llama.cpp): checks nothing but key, model and `refuses`. */
  isCompatible?: boolean;
  /** Time before every answer, in ms. */
  latencyMs?: number;
  /** Told in the headers of every answer, and enforced when they say so. Without it there are no such headers. */
  limits?: RateLimits;
  /** Length of vectors nobody asked a length for. */
  embeddingDimensions?: number;
  port?: number;
}

export interface FakeModelsOptions extends FakeModelsSettings {
  /** Text of a plain answer; without it one grounded memory for each message of a user. */
  answer?: (request: FakeRequest) => string | Promise<string>;
  /** Epoch ms; for dates in headers and the journal. */
  now?: () => number;
}

export interface FakeModels {
  /** Base URL for the Anthropic SDK. */
  readonly anthropicUrl: string;
  /** Base URL for the OpenAI SDK, ending in `/v1`. */
  readonly openaiUrl: string;
  readonly journal: Journal;
  /** What the next generation requests get, in order; each is used once. */
  plan(...behaviours: Behaviour[]): void;
  planFor(endpoint: Endpoint, ...behaviours: Behaviour[]): void;
  /** Decides for every request that has no plan; undefined from the rule leaves it to the mix. */
  behave(rule: BehaviourRule | undefined): void;
  /** Lets a share of the generation requests go wrong. */
  misbehave(mix: MisbehaviourMix | undefined): void;
  /** True: every connection is reset, those under way too; or the behaviour every request gets until false. */
  outage(on: boolean | Behaviour): void;
  /** Changes what the server knows and refuses. */
  configure(rules: Partial<ServerRules> & { latencyMs?: number }): void;
  close(): Promise<void>;
}

const BACKLOG = 4_096;

/** A real HTTP server on a free local port that speaks Anthropic Messages and OpenAI Chat Completions and embeddings. */
export async function startFakeModels(options: FakeModelsOptions = {}): Promise<FakeModels> {
  const now = options.now ?? Date.now;
  const server = new ModelServer({
    rules: {
      models: options.models ?? KNOWN_MODELS,
      keys: options.keys ?? null,
      refuses: options.refuses ?? [],
      isCompatible: options.isCompatible ?? false,
    },
    answer: options.answer ?? answerFromPrompt,
    latencyMs: options.latencyMs ?? 0,
    limits: options.limits ?? null,
    embeddingDimensions: options.embeddingDimensions ?? 1_536,
    now,
  });
  const http = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (request, response) => {
    const handled =
      request.url === CONTROL_PATH ? handleControlCommand(fake, request, response) : server.handle(request, response);
    handled.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void http.listen(options.port ?? 0, '127.0.0.1', BACKLOG, resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const fake: FakeModels = {
    anthropicUrl: url,
    openaiUrl: `${url}/v1`,
    journal: server.journal,
    plan: (...behaviours) => server.source.plan('generate', behaviours),
    planFor: (endpoint, ...behaviours) => server.source.plan(endpoint, behaviours),
    behave: (rule) => server.source.behave(rule),
    misbehave: (mix) => server.source.misbehave(mix),
    outage: (on) => {
      server.source.setOutage(on === true ? { kind: 'reset' } : on || undefined);
      if (on !== false) server.cutAll();
    },
    configure: ({ latencyMs, ...rules }) => {
      Object.assign(server.options.rules, rules);
      if (latencyMs !== undefined) server.options.latencyMs = latencyMs;
    },
    close: () => {
      http.closeAllConnections();
      return new Promise((resolve) => void http.close(() => resolve()));
    },
  };
  return fake;
}
