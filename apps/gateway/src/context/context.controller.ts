import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ContextService } from './context.service.js';

@Controller()
export class ContextController {
  constructor(@Inject(ContextService) private readonly context: ContextService) {}

  @Endpoint(routes.getUserContext)
  async getUserContext(call: Call<typeof routes.getUserContext>) {
    return this.context.get(call);
  }

  @Endpoint(routes.putUserContext)
  async putUserContext(call: Call<typeof routes.putUserContext>) {
    return this.context.put(call);
  }

  @Endpoint(routes.listProposals)
  async listProposals(call: Call<typeof routes.listProposals>) {
    return ok(await this.context.listProposals(call));
  }

  @Endpoint(routes.acceptProposal)
  async acceptProposal(call: Call<typeof routes.acceptProposal>) {
    return this.context.decide(call, 'accept');
  }

  @Endpoint(routes.rejectProposal)
  async rejectProposal(call: Call<typeof routes.rejectProposal>) {
    return this.context.decide(call, 'reject');
  }
}
