import { createServer } from 'node:http';
import { listenOnLoopback } from '../../serving/listen-on-loopback.js';
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

/** Options that can be passed to another process as JSON. */
export interface FakeModelsSettings {
  /** Default: `KNOWN_MODELS`. */
  models?: readonly FakeModel[];
  /** Keys that are accepted; default: any. */
  keys?: readonly string[];
  /** Parameters that this server rejects with 400. */
  refuses?: readonly Refusable[];
  /** A compatible server (vLLM, Ollama, llama.cpp): checks only key, model and `refuses`. */
  isCompatible?: boolean;
  /** Time before every answer, in ms. */
  latencyMs?: number;
  /** Reported in the headers of every response, and enforced if `isEnforced`. Default: no limits and no headers. */
  limits?: RateLimits;
  /** Length of vectors when a request has no `dimensions`. */
  embeddingDimensions?: number;
  port?: number;
}

export interface FakeModelsOptions extends FakeModelsSettings {
  /** Text of an answer; default: `answerFromPrompt`, one grounded memory for each message of a user. */
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
  /** Behaviours for the next generation requests, in order; each is used once. */
  plan(...behaviours: Behaviour[]): void;
  planFor(endpoint: Endpoint, ...behaviours: Behaviour[]): void;
  /** Sets a rule for all requests without a plan; if it returns undefined, the mix applies. */
  behave(rule: BehaviourRule | undefined): void;
  /** Makes a share of the generation requests fail. */
  misbehave(mix: MisbehaviourMix | undefined): void;
  /** True: resets every connection, open ones too. A behaviour: applies to every request. False: ends the outage. */
  outage(on: boolean | Behaviour): void;
  /** Changes the rules of the server. */
  configure(rules: Partial<ServerRules> & { latencyMs?: number }): void;
  close(): Promise<void>;
}

const BACKLOG = 4_096;

/** A real HTTP server on a free local port with Anthropic Messages, OpenAI Chat Completions and embeddings. */
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
  const { origin, close } = await listenOnLoopback(http, options.port, BACKLOG);
  const fake: FakeModels = {
    anthropicUrl: origin,
    openaiUrl: `${origin}/v1`,
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
    close,
  };
  return fake;
}
