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
import { type CallModelDependencies, callModel } from './call-model/call-model.js';
import type { ModelCallOutcome, ModelAnswer } from './call-model/model-answer.js';
import { findInputLimit, isRemote, type ModelChain } from './call-model/model-chain.js';
import { type CategoryPrompt, createCategoryPromptReader } from './category-prompt.js';
import { type BatchTurns, type Excerpt, listOrder, NO_PROMPT, selectExcerpt } from './build-request.js';
import { commitExtraction } from './commit-extraction.js';
import { deferExtraction } from './defer-extraction.js';
import { type ExtractionDraft, EMPTY_EXTRACTION, toExtractionDraft } from './extraction-draft.js';
import { CATEGORIES, MODEL_CHAIN } from './extraction.tokens.js';
import { repairAnswer, type RepairedAnswer } from './repair-answer.js';
import { findLongTurns } from './multi-fact/choose-turns.js';
import { type PreparedConversation, prepareConversation } from './prepare-conversation.js';
import { reportMemories, reportAnswerRepair, reportPreparation } from './report-extraction.js';

/** What the transaction of the claim has read. */
export interface BatchInput {
  readonly turns: BatchTurns;
  /** The batch's calls in the ledger. */
  readonly calls: readonly PastCall[];
}

/** Part of a job's timeout that is reserved for the commit, in ms. */
const COMMIT_MS = 15_000;

/** The context of an answer. */
interface AnswerContext {
  readonly turns: BatchTurns;
  readonly prepared: PreparedConversation | null;
  /** All calls for a batch use the same version of the categories file. */
  readonly categoryPrompt: CategoryPrompt;
  /** Deadline for starting the commit, by performance.now(). */
  readonly endsMs: number;
}

export interface ExtractionAttempt extends BatchAttempt {
  /** Waits for the work that runs concurrently with the model call and has to be done before the commit. */
  readonly beforeCommit: () => Promise<void>;
}

/** Extracts memories from a batch of messages, for persistence to write. */
@Injectable()
export class ExtractionService {
  /** The first remote provider, whose token estimates are used. Without one there is no selection and no prompt. */
  private readonly estimator: LLMProvider | undefined;
  private readonly callModelDependencies: CallModelDependencies;
  private readonly cache = new AnalysisCache();
  private readonly readCategoryPrompt: () => CategoryPrompt;

  constructor(
    @Inject(MODEL_CHAIN) readonly chain: ModelChain,
    @Inject(CONFIG) private readonly config: Config<'llm' | 'salience' | 'multiFact'>,
    @Inject(CATEGORIES) categories: Pick<Categories, 'current'>,
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
  ) {
    this.readCategoryPrompt = createCategoryPromptReader(categories);
    this.estimator = chain.find(isRemote);
    const { clock, rng, logger, metrics, modelCalls } = infrastructure;
    this.callModelDependencies = { chain, clock, rng, logger, metrics, modelCalls, options: config.llm };
  }

  get usesRemoteModels(): boolean {
    return this.estimator !== undefined;
  }

  /** Runs the steps in order. `skipped`: another worker has taken the batch over, and this result is discarded. */
  async extractBatch(
    batch: ClaimedBatch,
    { turns, calls }: BatchInput,
    attempt: ExtractionAttempt,
  ): Promise<JobOutcome> {
    const endsMs = performance.now() + extractionQueue.timeoutMs - COMMIT_MS;
    const excerpt = selectExcerpt(turns);
    if (excerpt.messages.length === 0) return this.commit(batch, EMPTY_EXTRACTION, attempt);
    const categoryPrompt = this.readCategoryPrompt();
    const prepared = await this.prepare(batch, turns, excerpt, categoryPrompt);
    const result = await this.callModels(batch, prepared, excerpt, calls, attempt);
    switch (result.outcome) {
      case 'delayed':
        return attempt.delayJob(result.delayMs);
      case 'deferred':
        return deferExtraction(this.infrastructure, batch, result);
      case 'answered':
        return this.write(batch, result, { turns, prepared, categoryPrompt, endsMs }, attempt);
    }
  }

  private async prepare(
    batch: ClaimedBatch,
    turns: BatchTurns,
    excerpt: Excerpt,
    { template }: CategoryPrompt,
  ): Promise<PreparedConversation | null> {
    const { estimator } = this;
    if (!estimator) return null;
    const prepared = await prepareConversation(excerpt, listOrder(turns), {
      template,
      salience: this.config.salience,
      longIds: new Set(findLongTurns(excerpt.messages, this.config.multiFact).map(({ id }) => id)),
      maxInputTokens: findInputLimit(this.chain),
      estimateTokens: (text) => estimator.estimateTokens(text),
      cache: this.cache,
    });
    reportPreparation(this.infrastructure, batch, prepared);
    return prepared;
  }

  private callModels(
    batch: ClaimedBatch,
    prepared: PreparedConversation | null,
    excerpt: Excerpt,
    calls: readonly PastCall[],
    { signal, withoutSlot }: BatchAttempt,
  ): Promise<ModelCallOutcome> {
    const { tenantId, userId, batchId, fence, generation } = batch;
    const batchRequest = {
      tenantId,
      userId,
      batch: { batchId, fence, generation },
      request: {
        // The fence makes the id unique to this attempt.
        requestId: `${batchId}-${fence}`,
        task: 'extract_memories' as const,
        // The prompt may contain only a part of a long batch; a local provider reads all of it.
        conversation: excerpt,
        prompt: prepared?.prompt ?? NO_PROMPT,
      },
      promptTokens: prepared?.promptTokens ?? 0,
      signal,
      withoutSlot,
    };
    return callModel(this.callModelDependencies, batchRequest, calls, extractionQueue.timeoutMs - COMMIT_MS);
  }

  /**
   * Writes an answer and settles its call in any case. Also when the job was stopped in the meantime: the answer is
   * paid for, and the fence decides whether it may still be written.
   */
  private async write(
    batch: ClaimedBatch,
    modelAnswer: ModelAnswer,
    { turns, prepared, categoryPrompt, endsMs }: AnswerContext,
    attempt: ExtractionAttempt,
  ): Promise<JobOutcome> {
    const { call } = modelAnswer;
    let outcome: JobOutcome | undefined;
    try {
      const repaired = await repairAnswer(
        { infrastructure: this.infrastructure, config: this.config },
        { batch, modelAnswer, turns, categoryPrompt, endsMs, attempt },
      );
      outcome = await this.commit(
        batch,
        toExtractionDraft(modelAnswer, repaired, call ? prepared : null),
        attempt,
        repaired,
      );
      return outcome;
    } finally {
      await call?.close(outcome === 'done' ? 'committed' : 'not_written');
    }
  }

  private async commit(
    { tenantId, batchId, fence }: ClaimedBatch,
    extracted: ExtractionDraft,
    attempt: ExtractionAttempt,
    repaired?: RepairedAnswer,
  ): Promise<JobOutcome> {
    const result = { ...extracted, batchId, fence, trace: currentTraceparent() ?? null };
    if ((await commitExtraction(this.infrastructure, tenantId, result, attempt)) === 'lost') return 'skipped';
    this.infrastructure.relay.kick();
    const about = { tenantId, batchId };
    reportMemories(this.infrastructure, about, extracted, repaired?.writing.rejected.length ?? 0);
    if (repaired) reportAnswerRepair(this.infrastructure, about, repaired);
    return 'done';
  }
}
