import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { LangGraphCheckpointsService } from './langgraph-checkpoints.service.js';
import { LangGraphThreadsService } from './langgraph-threads.service.js';

@Controller()
export class LangGraphController {
  constructor(
    @Inject(LangGraphCheckpointsService) private readonly checkpoints: LangGraphCheckpointsService,
    @Inject(LangGraphThreadsService) private readonly threads: LangGraphThreadsService,
  ) {}

  @Endpoint(routes.putLangGraphCheckpoint)
  async putCheckpoint(call: Call<typeof routes.putLangGraphCheckpoint>) {
    return ok(await this.checkpoints.put(call));
  }

  @Endpoint(routes.putLangGraphWrites)
  async putWrites(call: Call<typeof routes.putLangGraphWrites>) {
    return ok(await this.checkpoints.putWrites(call));
  }

  @Endpoint(routes.saveLangGraphBatch)
  async saveBatch(call: Call<typeof routes.saveLangGraphBatch>) {
    return ok(await this.checkpoints.saveBatch(call));
  }

  @Endpoint(routes.getLangGraphCheckpoint)
  async getCheckpoint(call: Call<typeof routes.getLangGraphCheckpoint>) {
    return ok(await this.checkpoints.get(call));
  }

  @Endpoint(routes.searchLangGraphCheckpoints)
  async searchCheckpoints(call: Call<typeof routes.searchLangGraphCheckpoints>) {
    return ok(await this.checkpoints.search(call));
  }

  @Endpoint(routes.readLangGraphHistory)
  async readHistory(call: Call<typeof routes.readLangGraphHistory>) {
    return ok(await this.checkpoints.readHistory(call));
  }

  @Endpoint(routes.listLangGraphThreads)
  async listThreads(call: Call<typeof routes.listLangGraphThreads>) {
    return ok(await this.threads.list(call));
  }

  @Endpoint(routes.copyLangGraphThread)
  async copyThread(call: Call<typeof routes.copyLangGraphThread>) {
    return this.threads.copy(call);
  }

  @Endpoint(routes.pruneLangGraphThreads)
  async pruneThreads(call: Call<typeof routes.pruneLangGraphThreads>) {
    return this.threads.prune(call);
  }

  @Endpoint(routes.deleteLangGraphThread)
  async deleteThread(call: Call<typeof routes.deleteLangGraphThread>) {
    return this.threads.delete(call);
  }
}
