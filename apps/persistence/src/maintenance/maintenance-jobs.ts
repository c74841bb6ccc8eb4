import type { Config } from '@annals/config';
import { CONFIG, type Infrastructure, INFRASTRUCTURE, registerMaintenanceJobs } from '@annals/runtime';
import { ContentEmbedder } from '../persistence/embed/content-embedder.js';
import { createItemVectorJob } from './item-vector-job.js';
import { createVectorJob } from './vector-job.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

@Injectable()
export class MaintenanceJobs implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(CONFIG) private readonly config: Config<'retention' | 'checkpoints' | 'webhooks'>,
  ) {}

  onModuleInit(): void {
    registerMaintenanceJobs(this.infrastructure, this.config);
    const { ids, maintenance } = this.infrastructure;
    const dependencies = { embedder: this.embedder, ids };
    maintenance.add(createVectorJob(dependencies));
    maintenance.add(createItemVectorJob(dependencies));
  }
}
