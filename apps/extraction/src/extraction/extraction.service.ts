import type { Config } from '@annals/config';
import { extractionQueue } from '@annals/contracts';
import { AnalysisCache, type LLMProvider } from '@annals/llm-core';
import type { JobOutcome } from '@annals/messaging';
import { currentTraceparent } from '@annals/observability';
import {
  type BatchAttempt,
  type Categories,
  type ClaimedBatch,
  CONFIG,
  type Infrastructure,
  INFRASTRUCTURE,
} from '@annals/runtime';
import type { PastCall } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { type AskDependencies, askModel } from './ask-model/ask-model.js';
import type { AskOutcome, ModelAnswer } from './ask-model/model-answer.js';
import { findInputLimit, isRemote, type ModelChain } from './ask-model/model-chain.js';
import { type Asking, createAskingReader } from './asking.js';
import { type BatchTurns, type Excerpt, listOrder, NO_PROMPT, selectExcerpt } from './build-request.js';
import { commitExtraction } from './commit-extraction.js';
import { deferExtraction } from './defer-extraction.js';
import { type Extracted, NOTHING_EXTRACTED, toExtracted } from './extracted.js';
import { CATEGORIES, MODEL_CHAIN } from './extraction.tokens.js';
import { mendAnswer, type MendedAnswer } from './mend-answer.js';
import { findLongTurns } from './multi-fact/choose-turns.js';
import { type PreparedConversation, prepareConversation } from './prepare-conversation.js';
import { reportMemories, reportMending, reportPreparation } from './report-extraction.js';

/** What the claim's transaction read. */
export interface BatchInput {
  readonly turns: BatchTurns;
  /** The batch's calls, as the ledger has them. */
  readonly calls: readonly PastCall[];
}

/** So much of a job's time is left for committing, in ms. */
const COMMIT_MS = 15_000;

/** What an answer is understood by. */
interface Reading {
  readonly turns: BatchTurns;
  readonly prepared: PreparedConversation | null;
  /** One file holds from the first question about a batch to its last, whatever changes meanwhile. */
  readonly asking: Asking;
  /** When the job has to commit, by performance.now(). */
  readonly endsMs: number;
}

export interface ExtractionAttempt extends BatchAttempt {
  /** Waits for what is done while the model is asked, and has to be there before what it said. */
  readonly beforeCommit: () => Promise<void>;
}

/** Turns a batch of messages into memories that persistence can write. */
@Injectable()
export class ExtractionService {
  /** The remote model whose estimates count; without one nothing is selected, prompted, reserved or counted. */
  private readonly estimator: LLMProvider | undefined;
  private readonly askDependencies: AskDependencies;
  private readonly cache = new AnalysisCache();
  private readonly readAsking: () => Asking;

  constructor(
    @Inject(MODEL_CHAIN) readonly chain: ModelChain,
    @Inject(CONFIG) private readonly config: Config<'llm' | 'salience' | 'multiFact'>,
    @Inject(CATEGORIES) categories: Pick<Categories, 'current'>,
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
  ) {
    this.readAsking = createAskingReader(categories);
    this.estimator = chain.find(isRemote);
    const { clock, rng, logger, metrics, modelCalls } = infrastructure;
    this.askDependencies = { chain, clock, rng, logger, metrics, modelCalls, options: config.llm };
  }

  get asksRemotely(): boolean {
    return this.estimator !== undefined;
  }

  /** The steps, in order. `skipped`: another worker holds the batch by now, and what was done here is void. */
  async extractBatch(
    batch: ClaimedBatch,
    { turns, calls }: BatchInput,
    attempt: ExtractionAttempt,
  ): Promise<JobOutcome> {
    const endsMs = performance.now() + extractionQueue.timeoutMs - COMMIT_MS;
    const excerpt = selectExcerpt(turns);
    if (excerpt.messages.length === 0) return this.commit(batch, NOTHING_EXTRACTED, attempt);
    const asking = this.readAsking();
    const prepared = await this.prepare(batch, turns, excerpt, asking);
    const asked = await this.ask(batch, prepared, excerpt, calls, attempt);
    switch (asked.outcome) {
      case 'gated':
        return attempt.gate(asked.delayMs);
      case 'deferred':
        return deferExtraction(this.infrastructure, batch, asked);
      case 'answered':
        return this.write(batch, asked, { turns, prepared, asking, endsMs }, attempt);
    }
  }

  private async prepare(
    batch: ClaimedBatch,
    turns: BatchTurns,
    excerpt: Excerpt,
    { frame }: Asking,
  ): Promise<PreparedConversation | null> {
    const { estimator } = this;
    if (!estimator) return null;
    const prepared = await prepareConversation(excerpt, listOrder(turns), {
      frame,
      salience: this.config.salience,
      longIds: new Set(findLongTurns(excerpt.messages, this.config.multiFact).map(({ id }) => id)),
      maxInputTokens: findInputLimit(this.chain),
      estimateTokens: (text) => estimator.estimateTokens(text),
      cache: this.cache,
    });
    reportPreparation(this.infrastructure, batch, prepared);
    return prepared;
  }

  private ask(
    batch: ClaimedBatch,
    prepared: PreparedConversation | null,
    excerpt: Excerpt,
    calls: readonly PastCall[],
    { signal, aside }: BatchAttempt,
  ): Promise<AskOutcome> {
    const { tenantId, userId, batchId, fence, generation } = batch;
    const question = {
      tenantId,
      userId,
      batch: { batchId, fence, generation },
      request: {
        // The fence makes the id one of this attempt alone.
        requestId: `${batchId}-${fence}`,
        task: 'extract_memories' as const,
        // Of a long batch a prompt holds a part; a local provider has room for all of it.
        conversation: excerpt,
        prompt: prepared?.prompt ?? NO_PROMPT,
      },
      promptTokens: prepared?.promptTokens ?? 0,
      signal,
      aside,
    };
    return askModel(this.askDependencies, question, calls, extractionQueue.timeoutMs - COMMIT_MS);
  }

  /**
   * Writes an answer and settles its call, whatever comes of it. Also when the job was stopped meanwhile: the answer is
   * paid for, and the fence knows whether it may still be written.
   */
  private async write(
    batch: ClaimedBatch,
    asked: ModelAnswer,
    { turns, prepared, asking, endsMs }: Reading,
    attempt: ExtractionAttempt,
  ): Promise<JobOutcome> {
    const { call } = asked;
    let outcome: JobOutcome | undefined;
    try {
      const mended = await mendAnswer(
        { infrastructure: this.infrastructure, config: this.config },
        { batch, asked, turns, asking, endsMs, attempt },
      );
      outcome = await this.commit(batch, toExtracted(asked, mended, call ? prepared : null), attempt, mended);
      return outcome;
    } finally {
      await call?.close(outcome === 'done' ? 'committed' : 'not_written');
    }
  }

  private async commit(
    { tenantId, batchId, fence }: ClaimedBatch,
    extracted: Extracted,
    attempt: ExtractionAttempt,
    mended?: MendedAnswer,
  ): Promise<JobOutcome> {
    const result = { ...extracted, batchId, fence, trace: currentTraceparent() ?? null };
    if ((await commitExtraction(this.infrastructure, tenantId, result, attempt)) === 'lost') return 'skipped';
    this.infrastructure.relay.kick();
    const about = { tenantId, batchId };
    reportMemories(this.infrastructure, about, extracted, mended?.writing.rejected.length ?? 0);
    if (mended) reportMending(this.infrastructure, about, mended);
    return 'done';
  }
}
