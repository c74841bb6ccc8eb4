import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ConversationIntake } from './conversation-intake.js';
import { ConversationsService } from './conversations.service.js';

@Controller()
export class ConversationsController {
  constructor(
    @Inject(ConversationIntake) private readonly intake: ConversationIntake,
    @Inject(ConversationsService) private readonly conversations: ConversationsService,
  ) {}

  @Endpoint(routes.postConversation)
  async postConversation(
    call: Call<typeof routes.postConversation>,
  ): Promise<AnswerOf<typeof routes.postConversation>> {
    return this.intake.accept(call);
  }

  @Endpoint(routes.endConversation)
  async endConversation(call: Call<typeof routes.endConversation>): Promise<AnswerOf<typeof routes.endConversation>> {
    return this.conversations.end(call);
  }

  @Endpoint(routes.getConversation)
  async getConversation(call: Call<typeof routes.getConversation>): Promise<AnswerOf<typeof routes.getConversation>> {
    return ok(await this.conversations.get(call));
  }
}
