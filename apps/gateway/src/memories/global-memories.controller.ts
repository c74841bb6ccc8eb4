import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { MemoriesService } from './memories.service.js';

/** Memories for all users of a tenant. Their history, restoration and changes are those of any memory. */
@Controller()
export class GlobalMemoriesController {
  constructor(@Inject(MemoriesService) private readonly memories: MemoriesService) {}

  @Endpoint(routes.listGlobalMemories)
  async listGlobalMemories(call: Call<typeof routes.listGlobalMemories>) {
    return ok(await this.memories.listGlobal(call));
  }

  @Endpoint(routes.addGlobalMemory)
  async addGlobalMemory(call: Call<typeof routes.addGlobalMemory>) {
    return this.memories.addGlobal(call);
  }

  @Endpoint(routes.deleteGlobalMemory)
  async deleteGlobalMemory(call: Call<typeof routes.deleteGlobalMemory>) {
    return this.memories.deleteGlobal(call);
  }
}
