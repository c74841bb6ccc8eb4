import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { AnswerOf, Call, STREAMED } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { ChatModels } from './chat-models.js';
import { ChatService } from './chat.service.js';

@Controller()
export class ChatController {
  constructor(
    @Inject(ChatService) private readonly chats: ChatService,
    @Inject(ChatModels) private readonly models: ChatModels,
  ) {}

  @Endpoint(routes.createChatCompletion)
  complete(call: Call<typeof routes.createChatCompletion>): Promise<typeof STREAMED> {
    return this.chats.complete(call);
  }

  @Endpoint(routes.listChatModels)
  listModels(
    call: Call<typeof routes.listChatModels>,
  ): Promise<AnswerOf<typeof routes.listChatModels> | typeof STREAMED> {
    return this.models.list(call);
  }
}
