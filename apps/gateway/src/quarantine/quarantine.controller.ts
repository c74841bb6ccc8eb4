import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { QuarantineService } from './quarantine.service.js';

@Controller()
export class QuarantineController {
  constructor(@Inject(QuarantineService) private readonly quarantine: QuarantineService) {}

  @Endpoint(routes.listQuarantine)
  async listQuarantine(call: Call<typeof routes.listQuarantine>) {
    return ok(await this.quarantine.list(call));
  }

  @Endpoint(routes.releaseMemory)
  async releaseMemory(call: Call<typeof routes.releaseMemory>) {
    return this.quarantine.release(call);
  }

  @Endpoint(routes.rejectMemory)
  async rejectMemory(call: Call<typeof routes.rejectMemory>) {
    return this.quarantine.reject(call);
  }
}
