import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { etagOf } from '../http/if-match.js';
import { MemoryReads } from './memory-reads.js';
import { MemoryWrites } from './memory-writes.js';

@Controller()
export class MemoriesController {
  constructor(
    @Inject(MemoryReads) private readonly reads: MemoryReads,
    @Inject(MemoryWrites) private readonly writes: MemoryWrites,
  ) {}

  @Endpoint(routes.listMemories)
  async listMemories(call: Call<typeof routes.listMemories>): Promise<AnswerOf<typeof routes.listMemories>> {
    return ok(await this.reads.list(call));
  }

  @Endpoint(routes.getMemory)
  async getMemory(call: Call<typeof routes.getMemory>): Promise<AnswerOf<typeof routes.getMemory>> {
    const memory = await this.reads.get(call);
    return { ...ok(memory), headers: etagOf(memory) };
  }

  @Endpoint(routes.getMemoryHistory)
  async getMemoryHistory(
    call: Call<typeof routes.getMemoryHistory>,
  ): Promise<AnswerOf<typeof routes.getMemoryHistory>> {
    return ok(await this.reads.getHistory(call));
  }

  @Endpoint(routes.addMemory)
  async addMemory(call: Call<typeof routes.addMemory>): Promise<AnswerOf<typeof routes.addMemory>> {
    return this.writes.add(call);
  }

  @Endpoint(routes.patchMemory)
  async patchMemory(call: Call<typeof routes.patchMemory>): Promise<AnswerOf<typeof routes.patchMemory>> {
    return this.writes.patch(call);
  }

  @Endpoint(routes.deleteMemory)
  async deleteMemory(call: Call<typeof routes.deleteMemory>): Promise<AnswerOf<typeof routes.deleteMemory>> {
    return this.writes.delete(call);
  }

  @Endpoint(routes.undoMemory)
  async undoMemory(call: Call<typeof routes.undoMemory>): Promise<AnswerOf<typeof routes.undoMemory>> {
    return this.writes.undo(call);
  }

  @Endpoint(routes.restoreMemory)
  async restoreMemory(call: Call<typeof routes.restoreMemory>): Promise<AnswerOf<typeof routes.restoreMemory>> {
    return this.writes.restore(call);
  }
}
