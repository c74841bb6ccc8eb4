import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { Call } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { LangGraphStoreService } from './langgraph-store.service.js';

@Controller()
export class LangGraphStoreController {
  constructor(@Inject(LangGraphStoreService) private readonly store: LangGraphStoreService) {}

  @Endpoint(routes.batchLangGraphStore)
  async batchLangGraphStore(call: Call<typeof routes.batchLangGraphStore>) {
    return this.store.batch(call);
  }
}
