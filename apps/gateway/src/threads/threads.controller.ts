import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { RelatedReads } from './related-reads.js';
import { ThreadDeltas } from './thread-deltas.js';

@Controller()
export class ThreadsController {
  constructor(
    @Inject(ThreadDeltas) private readonly deltas: ThreadDeltas,
    @Inject(RelatedReads) private readonly related: RelatedReads,
  ) {}

  @Endpoint(routes.getThreadDelta)
  async getThreadDelta(call: Call<typeof routes.getThreadDelta>): Promise<AnswerOf<typeof routes.getThreadDelta>> {
    return ok(await this.deltas.read(call));
  }

  @Endpoint(routes.getRelatedMemories)
  async getRelatedMemories(
    call: Call<typeof routes.getRelatedMemories>,
  ): Promise<AnswerOf<typeof routes.getRelatedMemories>> {
    return ok(await this.related.list(call));
  }
}
