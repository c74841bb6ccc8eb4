import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { etagOf } from '../http/headers.js';
import { MemoriesService } from './memories.service.js';

@Controller()
export class MemoriesController {
  constructor(@Inject(MemoriesService) private readonly memories: MemoriesService) {}

  @Endpoint(routes.listMemories)
  async listMemories(call: Call<typeof routes.listMemories>) {
    return ok(await this.memories.list(call));
  }

  @Endpoint(routes.getMemory)
  async getMemory(call: Call<typeof routes.getMemory>) {
    const memory = await this.memories.get(call);
    return { ...ok(memory), headers: etagOf(memory) };
  }

  @Endpoint(routes.getMemoryHistory)
  async getMemoryHistory(call: Call<typeof routes.getMemoryHistory>) {
    return ok(await this.memories.getHistory(call));
  }

  @Endpoint(routes.addMemory)
  async addMemory(call: Call<typeof routes.addMemory>) {
    return this.memories.add(call);
  }

  @Endpoint(routes.patchMemory)
  async patchMemory(call: Call<typeof routes.patchMemory>) {
    return this.memories.patch(call);
  }

  @Endpoint(routes.deleteMemory)
  async deleteMemory(call: Call<typeof routes.deleteMemory>) {
    return this.memories.delete(call);
  }

  @Endpoint(routes.undoMemory)
  async undoMemory(call: Call<typeof routes.undoMemory>) {
    return this.memories.undo(call);
  }

  @Endpoint(routes.restoreMemory)
  async restoreMemory(call: Call<typeof routes.restoreMemory>) {
    return this.memories.restore(call);
  }
}
