import { chat } from './fragments/chat.js';
import { consolidation } from './fragments/consolidation.js';
import { insights } from './fragments/insights.js';
import { llm } from './fragments/llm.js';
import { budgets, circuit, pricing, salience } from './fragments/model-limits.js';
import { minds } from './fragments/minds.js';
import { embeddings, redaction, writing } from './fragments/models.js';
import { batching, categories, multiFact, procedures, relay, workers } from './fragments/pipeline.js';
import { recall } from './fragments/recall.js';
import { rerank } from './fragments/rerank.js';
import { checkpoints, retention } from './fragments/retention.js';
import { http, lifecycle, limits, logging, mcp, metrics, personPage, telemetry } from './fragments/service.js';
import { vault } from './fragments/vault.js';
import { webhooks } from './fragments/webhooks.js';
import { database, embedded, migration, queue, redis, secrets } from './fragments/stores.js';

/** Every fragment by the name it has in the loaded configuration: `config.http.port`. */
export const FRAGMENTS = {
  http,
  mcp,
  personPage,
  chat,
  limits,
  embedded,
  secrets,
  database,
  migration,
  redis,
  queue,
  batching,
  relay,
  workers,
  llm,
  pricing,
  budgets,
  circuit,
  salience,
  minds,
  consolidation,
  multiFact,
  procedures,
  embeddings,
  recall,
  rerank,
  redaction,
  writing,
  categories,
  checkpoints,
  retention,
  webhooks,
  vault,
  insights,
  logging,
  telemetry,
  metrics,
  lifecycle,
};

export type FragmentName = keyof typeof FRAGMENTS;

/** The configuration of a service that loads the fragments `N`. */
export type Config<N extends FragmentName = FragmentName> = {
  readonly [F in N]: Readonly<ReturnType<(typeof FRAGMENTS)[F]['build']>>;
};
