import type { Config } from '@annals/config';
import { CONFIG, createWorkWorker, type Infrastructure, INFRASTRUCTURE } from '@annals/runtime';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ContentEmbedder } from '../persistence/embed/content-embedder.js';
import { createVectorsStage } from './vectors-stage.js';

/** Connects the queue `vectors` with its stage; the work worker handles claims, deferrals and failures. */
@Injectable()
export class VectorsProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(CONFIG) private readonly config: Config<'workers'>,
  ) {}

  onModuleInit(): void {
    const { infrastructure, embedder } = this;
    const stage = createVectorsStage({ ...infrastructure, embedder }, this.config.workers);
    infrastructure.workers.add(createWorkWorker(infrastructure, stage));
  }
}
