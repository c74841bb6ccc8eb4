import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { MemoryQueryService } from './memory-query.service.js';

@Controller()
export class MemoryQueryController {
  constructor(@Inject(MemoryQueryService) private readonly queries: MemoryQueryService) {}

  @Endpoint(routes.queryMemory)
  async queryMemory(call: Call<typeof routes.queryMemory>) {
    return ok(await this.queries.answer(call));
  }
}
