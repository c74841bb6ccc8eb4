import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ContextReads } from './context-reads.js';
import { ContextWrites } from './context-writes.js';

@Controller()
export class ContextController {
  constructor(
    @Inject(ContextReads) private readonly reads: ContextReads,
    @Inject(ContextWrites) private readonly writes: ContextWrites,
  ) {}

  @Endpoint(routes.getUserContext)
  async getUserContext(call: Call<typeof routes.getUserContext>): Promise<AnswerOf<typeof routes.getUserContext>> {
    return this.reads.get(call);
  }

  @Endpoint(routes.putUserContext)
  async putUserContext(call: Call<typeof routes.putUserContext>): Promise<AnswerOf<typeof routes.putUserContext>> {
    return this.writes.put(call);
  }

  @Endpoint(routes.listProposals)
  async listProposals(call: Call<typeof routes.listProposals>): Promise<AnswerOf<typeof routes.listProposals>> {
    return ok(await this.reads.listProposals(call));
  }

  @Endpoint(routes.acceptProposal)
  async acceptProposal(call: Call<typeof routes.acceptProposal>): Promise<AnswerOf<typeof routes.acceptProposal>> {
    return this.writes.decide(call, 'accept');
  }

  @Endpoint(routes.rejectProposal)
  async rejectProposal(call: Call<typeof routes.rejectProposal>): Promise<AnswerOf<typeof routes.rejectProposal>> {
    return this.writes.decide(call, 'reject');
  }
}
