import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok, type STREAMED } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { CheckpointsService } from './checkpoints.service.js';

@Controller()
export class CheckpointsController {
  constructor(@Inject(CheckpointsService) private readonly checkpoints: CheckpointsService) {}

  @Endpoint(routes.putCheckpoint)
  async putCheckpoint(call: Call<typeof routes.putCheckpoint>) {
    return this.checkpoints.put(call);
  }

  @Endpoint(routes.getCheckpoint)
  async getCheckpoint(call: Call<typeof routes.getCheckpoint>): Promise<typeof STREAMED> {
    return this.checkpoints.get(call);
  }

  @Endpoint(routes.deleteCheckpoint)
  async deleteCheckpoint(call: Call<typeof routes.deleteCheckpoint>) {
    return this.checkpoints.delete(call);
  }

  @Endpoint(routes.listCheckpoints)
  async listCheckpoints(call: Call<typeof routes.listCheckpoints>) {
    return ok(await this.checkpoints.list(call));
  }
}
