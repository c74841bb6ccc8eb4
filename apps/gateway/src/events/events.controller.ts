import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { EventsService } from './events.service.js';

@Controller()
export class EventsController {
  constructor(@Inject(EventsService) private readonly events: EventsService) {}

  @Endpoint(routes.listEvents)
  async listEvents(call: Call<typeof routes.listEvents>) {
    return ok(await this.events.list(call));
  }

  @Endpoint(routes.countEvents)
  async countEvents(call: Call<typeof routes.countEvents>) {
    return ok(await this.events.count(call));
  }
}
