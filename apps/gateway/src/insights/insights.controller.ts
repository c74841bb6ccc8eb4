import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { InsightsService } from './insights.service.js';

@Controller()
export class InsightsController {
  constructor(@Inject(InsightsService) private readonly insights: InsightsService) {}

  @Endpoint(routes.listInsights)
  async listInsights(call: Call<typeof routes.listInsights>) {
    return ok(await this.insights.list(call));
  }

  @Endpoint(routes.explainMemory)
  async explainMemory(call: Call<typeof routes.explainMemory>) {
    return ok(await this.insights.explain(call));
  }
}
