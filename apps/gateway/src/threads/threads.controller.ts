import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { SummariesService } from './summaries.service.js';
import { ThreadsService } from './threads.service.js';

@Controller()
export class ThreadsController {
  constructor(
    @Inject(ThreadsService) private readonly threads: ThreadsService,
    @Inject(SummariesService) private readonly summaries: SummariesService,
  ) {}

  @Endpoint(routes.getThreadDelta)
  async getThreadDelta(call: Call<typeof routes.getThreadDelta>) {
    return ok(await this.threads.readDelta(call));
  }

  @Endpoint(routes.getThreadSummary)
  async getThreadSummary(call: Call<typeof routes.getThreadSummary>) {
    return ok(await this.summaries.read(call));
  }

  @Endpoint(routes.restoreSummary)
  async restoreSummary(call: Call<typeof routes.restoreSummary>) {
    return this.summaries.restore(call);
  }

  @Endpoint(routes.restoreTurns)
  async restoreTurns(call: Call<typeof routes.restoreTurns>) {
    return this.summaries.restoreTurns(call);
  }

  @Endpoint(routes.getRelatedMemories)
  async getRelatedMemories(call: Call<typeof routes.getRelatedMemories>) {
    return ok(await this.threads.listRelated(call));
  }
}
