import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, type Call, ok, type STREAMED } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { CheckpointReads } from './checkpoint-reads.js';
import { CheckpointWrites } from './checkpoint-writes.js';

@Controller()
export class CheckpointsController {
  constructor(
    @Inject(CheckpointReads) private readonly reads: CheckpointReads,
    @Inject(CheckpointWrites) private readonly writes: CheckpointWrites,
  ) {}

  @Endpoint(routes.putCheckpoint)
  async putCheckpoint(call: Call<typeof routes.putCheckpoint>): Promise<AnswerOf<typeof routes.putCheckpoint>> {
    return this.writes.put(call);
  }

  @Endpoint(routes.getCheckpoint)
  async getCheckpoint(call: Call<typeof routes.getCheckpoint>): Promise<typeof STREAMED> {
    return this.reads.get(call);
  }

  @Endpoint(routes.deleteCheckpoint)
  async deleteCheckpoint(
    call: Call<typeof routes.deleteCheckpoint>,
  ): Promise<AnswerOf<typeof routes.deleteCheckpoint>> {
    return this.writes.delete(call);
  }

  @Endpoint(routes.listCheckpoints)
  async listCheckpoints(call: Call<typeof routes.listCheckpoints>): Promise<AnswerOf<typeof routes.listCheckpoints>> {
    return ok(await this.reads.list(call));
  }
}
