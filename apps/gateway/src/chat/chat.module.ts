import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { InputAdmissionModule } from '../http/input-admission.module.js';
import { MemoryQueryModule } from '../memory-query/memory-query.module.js';
import { ChatController } from './chat.controller.js';
import { ChatMemory } from './chat-memory.js';
import { ChatModels } from './chat-models.js';
import { ChatService } from './chat.service.js';
import { ChatTurns } from './chat-turns.js';
import { ChatUpstreams } from './chat-upstreams.js';
import { MeteredChat } from './metered-chat.js';

/** Chat completions with memory in the form of OpenAI’s API (docs/chat.md). */
@Module({
  imports: [AuthModule, ConversationsModule, InputAdmissionModule, MemoryQueryModule],
  controllers: [ChatController],
  providers: [ChatService, ChatModels, ChatMemory, ChatTurns, ChatUpstreams, MeteredChat],
})
export class ChatModule {}
