import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok, STREAMED } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { BatchStreams } from './batch-streams.js';
import { BatchesService } from './batches.service.js';

@Controller()
export class BatchesController {
  constructor(
    @Inject(BatchesService) private readonly batches: BatchesService,
    @Inject(BatchStreams) private readonly streams: BatchStreams,
  ) {}

  @Endpoint(routes.listBatches)
  async listBatches(call: Call<typeof routes.listBatches>) {
    return ok(await this.batches.list(call));
  }

  @Endpoint(routes.getBatch)
  async getBatch({ params, caller }: Call<typeof routes.getBatch>) {
    return ok((await this.batches.get(params.id, caller)).batch);
  }

  @Endpoint(routes.streamBatch)
  async streamBatch({ params, caller, raw }: Call<typeof routes.streamBatch>): Promise<typeof STREAMED> {
    this.streams.checkCapacity();
    const versioned = await this.batches.get(params.id, caller);
    this.streams.open(versioned, caller, raw);
    return STREAMED;
  }

  @Endpoint(routes.replayBatch)
  async replayBatch(call: Call<typeof routes.replayBatch>) {
    return this.batches.replay(call);
  }
}
