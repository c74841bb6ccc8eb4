import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ConsolidationService } from './consolidation.service.js';

@Controller()
export class ConsolidationController {
  constructor(@Inject(ConsolidationService) private readonly consolidation: ConsolidationService) {}

  @Endpoint(routes.startConsolidation)
  async startConsolidation(call: Call<typeof routes.startConsolidation>) {
    return this.consolidation.start(call);
  }

  @Endpoint(routes.listConsolidationRuns)
  async listConsolidationRuns(call: Call<typeof routes.listConsolidationRuns>) {
    return ok(await this.consolidation.list(call));
  }

  @Endpoint(routes.getConsolidationRun)
  async getConsolidationRun(call: Call<typeof routes.getConsolidationRun>) {
    return ok(await this.consolidation.get(call));
  }

  @Endpoint(routes.undoConsolidationRun)
  async undoConsolidationRun(call: Call<typeof routes.undoConsolidationRun>) {
    return this.consolidation.undo(call);
  }
}
