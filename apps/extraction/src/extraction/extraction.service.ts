import type { Config } from '@annals/config';
import { type ExtractedItem, extractionQueue } from '@annals/contracts';
import { listCategoryNames, runInSlices } from '@annals/domain';
import { AnalysisCache, type ConversationMessage, type LLMProvider } from '@annals/llm-core';
import {
  type JobAttempt,
  type BatchEnding,
  BatchSteps,
  type Categories,
  type ClaimedBatch,
  CONFIG,
  type Infrastructure,
  INFRASTRUCTURE,
} from '@annals/runtime';
import { loadBatchConversation, type PastCall } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { arrangeItems } from './arrange-items.js';
import { buildBatchRequest } from './call-model/batch-request.js';
import { callModel } from './call-model/call-model.js';
import { findInputLimit, isRemote, type ModelChain } from './call-model/model-chain.js';
import type { ModelAnswer } from './call-model/receive-answer.js';
import {
  commitExtraction,
  deferExtraction,
  type ExtractionDraft,
  type RepairedAnswer,
  toExtractionDraft,
} from './commit/commit-extraction.js';
import { reportAnswerRepair, reportMemories, reportPreparation } from './commit/report-extraction.js';
import { assignCategories } from './constrain/assign-categories.js';
import { repairWriting, rewriteSentences } from './constrain/repair-writing.js';
import { moveOutOfProfile } from './ground/attribute-memories.js';
import { groundAnswer } from './ground/ground-answer.js';
import { type BatchReading, readBatch } from './ground/read-batch.js';
import { TurnIndexing } from './index-turns/turn-indexing.js';
import { findBatchWorkflows, type WorkOptions } from './procedures/find-batch-workflows.js';
import { recordWorkflows } from './procedures/record-workflows.js';
import {
  type CategoryPrompt,
  createCategoryPromptReader,
  type PreparedConversation,
  prepareConversation,
} from './prompt/prepare-conversation.js';
import { type BatchTurns, type Excerpt, listOrder, selectExcerpt } from './prompt/select-excerpt.js';
import { limitTurns } from './second-pass/best-of-turns.js';
import { findLongTurns, findMissedFacts } from './second-pass/find-missed-facts.js';

export const MODEL_CHAIN = Symbol('ModelChain');

export const CATEGORIES = Symbol('Categories');

/** What the transaction of the claim has read. */
export interface BatchInput {
  readonly turns: BatchTurns;
  /** The batch's calls in the ledger. */
  readonly calls: readonly PastCall[];
  /** Names that the user has consented to. */
  readonly userNames: readonly string[];
  /** `agent_id` of the conversation. */
  readonly agentId: string | null;
}

/** Part of a job's timeout that is reserved for the commit, in ms. */
const COMMIT_MS = 15_000;
/** The time in which models may be called, in ms. */
const MAX_CALLS_MS = extractionQueue.timeoutMs - COMMIT_MS;

/** Extracts memories from a batch of messages, for persistence to write. */
@Injectable()
export class ExtractionService {
  /** The first remote provider, whose token estimates are used. Without one there is no selection and no prompt. */
  private readonly estimator: LLMProvider | undefined;
  private readonly cache = new AnalysisCache();
  private readonly readCategoryPrompt: () => CategoryPrompt;

  constructor(
    @Inject(MODEL_CHAIN) readonly chain: ModelChain,
    @Inject(CONFIG) private readonly config: Config<'llm' | 'salience' | 'multiFact' | 'procedures'>,
    @Inject(CATEGORIES) categories: Pick<Categories, 'current'>,
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
  ) {
    this.readCategoryPrompt = createCategoryPromptReader(categories);
    this.estimator = chain.find(isRemote);
  }

  get usesRemoteModels(): boolean {
    return this.estimator !== undefined;
  }

  /**
   * Runs the steps in order. An answer is written, and its call settled, even when the job was stopped during the call:
   * it is paid for, and the fence decides whether it may still be written.
   */
  extractBatch(batch: ClaimedBatch, input: BatchInput, attempt: JobAttempt): Promise<BatchEnding> {
    const { infrastructure } = this;
    return this.extract(batch, input, attempt, settleCall).end(
      (known) => this.commit(batch, attempt, known),
      async (ending) => (ending.ends === 'deferred' ? deferExtraction(infrastructure, batch, ending) : ending),
    );
  }

  /** The same steps for messages that are not stored: nothing is written but what models have cost. */
  async tryOut(batch: ClaimedBatch, input: BatchInput, attempt: JobAttempt): Promise<TriedExtraction | BatchEnding> {
    let tried: TriedExtraction | undefined;
    const settle = (modelAnswer: ModelAnswer | null) => settleCall(modelAnswer, undefined);
    const ending = await this.extract({ ...batch, isTrial: true }, input, attempt, settle).end(
      async ({ extraction: { provider, model, items }, repaired }) => {
        tried = { provider, model, items, rejected: repaired.writing.rejected.length };
        return { ends: 'done' };
      },
    );
    return tried ?? ending;
  }

  private extract(
    batch: ClaimedBatch,
    { turns, calls, userNames, agentId }: BatchInput,
    attempt: JobAttempt,
    settle: typeof settleCall,
  ) {
    const { infrastructure, config } = this;
    const { messages } = turns;
    const byId = new Map(messages.map((message) => [message.id, message]));
    const endsMs = infrastructure.clock.monotonicNow() + MAX_CALLS_MS;
    return BatchSteps.from({})
      .step(
        'indexing',
        () => (batch.isTrial ? null : new TurnIndexing(infrastructure, batch, attempt)),
        (indexing, ending) => indexing?.close(ending) ?? Promise.resolve(),
      )
      .step('reading', () =>
        runInSlices(readBatch(turns, { id: batch.userId, names: userNames }), infrastructure.pause),
      )
      .step('workflows', ({ reading }) =>
        this.findWorkflows(batch, turns, { agentId, identify: (message) => reading.identify(message) }),
      )
      .step('excerpt', () => selectExcerpt(turns))
      .step('longTurns', ({ excerpt }) => findLongTurns(excerpt.messages, config.multiFact))
      .step('categoryPrompt', () => this.readCategoryPrompt())
      .step('prepared', (known) => this.prepare(batch, turns, known))
      .step('modelAnswer', (known) => this.callModels(batch, calls, attempt, known), settle)
      .step('grounded', ({ modelAnswer, reading }) =>
        runInSlices(
          groundAnswer(modelAnswer?.answer.memories ?? [], messages, reading, { isDivided: !modelAnswer?.call }),
          infrastructure.pause,
        ),
      )
      .step('followUp', ({ modelAnswer }) => {
        const provider = this.findFollowUpProvider(modelAnswer);
        return { infrastructure, config, batch, attempt, provider, endsMs };
      })
      .step(
        'completed',
        ({ grounded: found, longTurns, modelAnswer, followUp, reading, categoryPrompt: { template } }) => {
          const input = { found, messages, reading, template, followUp };
          // Rules would find the same memories again.
          return findMissedFacts({ ...input, longTurns: modelAnswer?.call ? longTurns : [] });
        },
      )
      .step('procedures', ({ workflows, followUp }) => recordWorkflows(workflows, followUp))
      .step('attributed', ({ completed, procedures, reading, categoryPrompt: { categories } }) => {
        const names = new Set(listCategoryNames(categories));
        return moveOutOfProfile([...completed.items, ...procedures.items], byId, reading, (category) =>
          names.has(category),
        );
      })
      .step('assigned', ({ attributed, modelAnswer, categoryPrompt: { categories } }) =>
        assignCategories(attributed, categories, (item) => isOfRules(item, modelAnswer)),
      )
      .step('constrained', ({ assigned, followUp, reading }) =>
        repairWriting(assigned.items, messages, reading, (broken) => rewriteSentences(followUp, broken)),
      )
      .step('limited', ({ completed, constrained }) =>
        limitTurns(arrangeItems(constrained.items, messages), completed.pass),
      )
      .step('repaired', ({ limited, assigned, constrained, procedures }) => ({
        items: limited.items,
        writing: constrained.report,
        multiFact: limited.report,
        procedures: procedures.report,
        categoryAssignment: assigned.report,
      }))
      .step('extraction', ({ modelAnswer, repaired, prepared }) => toExtractionDraft(modelAnswer, repaired, prepared));
  }

  /** The provider that has answered; for a batch without a request to any, the primary one. */
  private findFollowUpProvider(modelAnswer: ModelAnswer | null): LLMProvider | null {
    if (modelAnswer) return modelAnswer.call ? modelAnswer.provider : null;
    const [primary] = this.chain;
    return isRemote(primary) ? primary : null;
  }

  private findWorkflows(
    { tenantId, batchId }: ClaimedBatch,
    turns: BatchTurns,
    speakers: Pick<WorkOptions, 'agentId' | 'identify'>,
  ) {
    const { database, pause } = this.infrastructure;
    const loadEarlier = async (contextMessages: number) =>
      turns.earlier ??
      (await database.readTenant(tenantId, (tx) => loadBatchConversation(tx, batchId, { contextMessages }))).context;
    return findBatchWorkflows(turns, { agents: this.config.procedures.agents, ...speakers, loadEarlier, pause });
  }

  /** Null when no remote model is called. */
  private async prepare(
    batch: ClaimedBatch,
    turns: BatchTurns,
    { excerpt, reading, longTurns, categoryPrompt: { template } }: Prompted,
  ): Promise<PreparedConversation | null> {
    const { estimator } = this;
    if (!estimator || excerpt.messages.length === 0) return null;
    const prepared = await prepareConversation(excerpt, listOrder(turns), {
      template,
      user: reading.user,
      salience: this.config.salience,
      longIds: new Set(longTurns.map(({ id }) => id)),
      maxInputTokens: findInputLimit(this.chain),
      estimateTokens: (text) => estimator.estimateTokens(text),
      cache: this.cache,
    });
    reportPreparation(this.infrastructure, batch, prepared);
    return prepared;
  }

  /** Null for a batch without messages of users, which are the only ones that memories are extracted from. */
  private async callModels(
    batch: ClaimedBatch,
    calls: readonly PastCall[],
    attempt: JobAttempt,
    { excerpt, reading, prepared }: Omit<Prompted, 'longTurns' | 'categoryPrompt'> & PreparedPrompt,
  ): Promise<ModelAnswer | BatchEnding | null> {
    if (excerpt.messages.length === 0) return null;
    const request = buildBatchRequest(batch, excerpt, prepared, attempt, reading.user);
    const deps = { ...this.infrastructure, chain: this.chain, options: this.config.llm };
    return callModel(deps, request, calls, MAX_CALLS_MS);
  }

  private async commit(
    batch: ClaimedBatch,
    { signal, withoutSlot }: JobAttempt,
    { indexing, extraction, repaired }: Repaired,
  ): Promise<BatchEnding> {
    const { infrastructure } = this;
    const beforeCommit = async () => indexing?.beforeCommit();
    const ending = await withoutSlot(() =>
      commitExtraction(infrastructure, batch, extraction, { beforeCommit, signal }),
    );
    if (ending.ends !== 'done') return ending;
    infrastructure.relay.kick();
    reportMemories(infrastructure, batch, extraction, repaired.writing.rejected.length);
    reportAnswerRepair(infrastructure, batch, repaired);
    return ending;
  }
}

interface Prompted {
  readonly excerpt: Excerpt;
  readonly reading: BatchReading;
  readonly longTurns: readonly ConversationMessage[];
  readonly categoryPrompt: CategoryPrompt;
}

interface PreparedPrompt {
  readonly prepared: PreparedConversation | null;
}

interface Repaired {
  readonly indexing: TurnIndexing | null;
  readonly extraction: ExtractionDraft;
  readonly repaired: RepairedAnswer;
}

/** What would be written of messages, and of how many statements nothing would be, since they violate constraints. */
export interface TriedExtraction extends Pick<ExtractionDraft, 'provider' | 'model' | 'items'> {
  readonly rejected: number;
}

/** Settles an answer's call: in the transaction that has written the answer, or on its own. */
async function settleCall(modelAnswer: ModelAnswer | null, ending: BatchEnding | undefined): Promise<void> {
  await modelAnswer?.call?.close(ending?.ends === 'done' ? 'committed' : 'not_written');
}

/** Items of the local provider and procedures are created by rules. */
function isOfRules({ type }: ExtractedItem, modelAnswer: ModelAnswer | null): boolean {
  return !modelAnswer?.call || type === 'procedural';
}
