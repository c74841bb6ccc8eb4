import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { EventReads } from './event-reads.js';

@Controller()
export class EventsController {
  constructor(@Inject(EventReads) private readonly events: EventReads) {}

  @Endpoint(routes.listEvents)
  async listEvents(call: Call<typeof routes.listEvents>): Promise<AnswerOf<typeof routes.listEvents>> {
    return ok(await this.events.list(call));
  }

  @Endpoint(routes.countEvents)
  async countEvents(call: Call<typeof routes.countEvents>): Promise<AnswerOf<typeof routes.countEvents>> {
    return ok(await this.events.count(call));
  }
}
