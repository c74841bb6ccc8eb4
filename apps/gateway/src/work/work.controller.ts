import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { WorkService } from './work.service.js';

@Controller()
export class WorkController {
  constructor(@Inject(WorkService) private readonly work: WorkService) {}

  @Endpoint(routes.getWorkOverview)
  async getWorkOverview() {
    return ok(await this.work.readOverview());
  }

  @Endpoint(routes.listWork)
  async listWork(call: Call<typeof routes.listWork>) {
    return ok(await this.work.list(call));
  }

  @Endpoint(routes.replayWork)
  async replayWork(call: Call<typeof routes.replayWork>) {
    return this.work.replay(call);
  }
}
