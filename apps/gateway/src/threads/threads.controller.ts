import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ThreadsService } from './threads.service.js';

@Controller()
export class ThreadsController {
  constructor(@Inject(ThreadsService) private readonly threads: ThreadsService) {}

  @Endpoint(routes.getThreadDelta)
  async getThreadDelta(call: Call<typeof routes.getThreadDelta>) {
    return ok(await this.threads.readDelta(call));
  }

  @Endpoint(routes.getRelatedMemories)
  async getRelatedMemories(call: Call<typeof routes.getRelatedMemories>) {
    return ok(await this.threads.listRelated(call));
  }
}
