import type { Config } from '@annals/config';
import { CONFIG, createWorkWorker, type Infrastructure, INFRASTRUCTURE } from '@annals/runtime';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ContentEmbedder } from '../persistence/embed/content-embedder.js';
import { createItemVectorsStage } from './item-vectors-stage.js';
import { createVectorsStage } from './vectors-stage.js';

/** Connects the queues `vectors` and `item_vectors` with their stages; the work worker handles claims, deferrals and failures. */
@Injectable()
export class VectorsProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(CONFIG) private readonly config: Config<'workers'>,
  ) {}

  onModuleInit(): void {
    const { infrastructure, embedder } = this;
    const dependencies = { ...infrastructure, embedder };
    const { workers } = this.config;
    infrastructure.workers.add(createWorkWorker(infrastructure, createVectorsStage(dependencies, workers)));
    infrastructure.workers.add(createWorkWorker(infrastructure, createItemVectorsStage(dependencies, workers)));
  }
}
