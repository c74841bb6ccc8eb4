import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { Call } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ForgettingService } from './forgetting.service.js';

@Controller()
export class ForgettingController {
  constructor(@Inject(ForgettingService) private readonly forgetting: ForgettingService) {}

  @Endpoint(routes.forgetMemories)
  async forgetMemories(call: Call<typeof routes.forgetMemories>) {
    return this.forgetting.forgetMemories(call);
  }

  @Endpoint(routes.forgetMessage)
  async forgetMessage(call: Call<typeof routes.forgetMessage>) {
    return this.forgetting.forgetMessage(call);
  }
}
