import type { Config } from '@annals/config';
import { dryRunQueue } from '@annals/contracts';
import {
  type Categories,
  commitWork,
  CONFIG,
  createWorkWorker,
  type Infrastructure,
  INFRASTRUCTURE,
  type WorkStage,
} from '@annals/runtime';
import { type DryRunInput, finishDryRun, loadDryRun } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { ModelChain } from '../extraction/call-model/model-chain.js';
import { CATEGORIES, ExtractionService, MODEL_CHAIN } from '../extraction/extraction.service.js';
import { CountedCalls } from './counted-calls.js';
import { EARLIER_MESSAGES } from '../extraction/procedures/find-batch-workflows.js';
import { tryConversation } from './try-conversation.js';

type DryRunConfig = Config<'llm' | 'salience' | 'multiFact' | 'procedures' | 'workers'>;

/** Connects the queue `dry_run` with the steps of an extraction; the work worker handles claims and failures. */
@Injectable()
export class DryRunProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(MODEL_CHAIN) private readonly chain: ModelChain,
    @Inject(CONFIG) private readonly config: DryRunConfig,
    @Inject(CATEGORIES) private readonly categories: Pick<Categories, 'current'>,
  ) {}

  onModuleInit(): void {
    this.infrastructure.workers.add(createWorkWorker(this.infrastructure, this.createStage()));
  }

  private createStage(): WorkStage<DryRunInput | null> {
    const { infrastructure, config } = this;
    const { database } = infrastructure;
    return {
      definition: dryRunQueue,
      leaseMs: config.workers.leaseMs,
      load: (tx, id) => loadDryRun(tx, id, { contextMessages: EARLIER_MESSAGES }),
      run: async (work, input, attempt) => {
        // Nobody waits any more.
        if (!input) {
          await commitWork(database, work, async () => undefined);
          return { ends: 'done' };
        }
        const trier = { ...this.createService(), infrastructure };
        const answer = await tryConversation(trier, { work, input, attempt });
        await commitWork(database, work, (tx) => finishDryRun(tx, work.subjectId, answer));
        return { ends: 'done' };
      },
      translate: () => undefined,
    };
  }

  /** A service of its own for each run, whose model calls are counted. */
  private createService(): { readonly service: ExtractionService; readonly calls: CountedCalls | null } {
    const { infrastructure, chain, config, categories } = this;
    const calls = infrastructure.modelCalls && new CountedCalls(infrastructure.modelCalls);
    const counted: Infrastructure = { ...infrastructure, modelCalls: calls };
    return { service: new ExtractionService(chain, config, categories, counted), calls };
  }
}
