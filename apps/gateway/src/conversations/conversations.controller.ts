import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ConversationIngestion } from './conversation-ingestion.js';
import { ConversationsService } from './conversations.service.js';

@Controller()
export class ConversationsController {
  constructor(
    @Inject(ConversationIngestion) private readonly ingestion: ConversationIngestion,
    @Inject(ConversationsService) private readonly conversations: ConversationsService,
  ) {}

  @Endpoint(routes.postConversation)
  async postConversation(call: Call<typeof routes.postConversation>) {
    return this.ingestion.accept(call);
  }

  @Endpoint(routes.endConversation)
  async endConversation(call: Call<typeof routes.endConversation>) {
    return this.conversations.end(call);
  }

  @Endpoint(routes.listConversations)
  async listConversations(call: Call<typeof routes.listConversations>) {
    return ok(await this.conversations.list(call));
  }

  @Endpoint(routes.getConversation)
  async getConversation(call: Call<typeof routes.getConversation>) {
    return ok(await this.conversations.get(call));
  }
}
