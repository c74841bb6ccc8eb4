import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MemoriesModule } from '../memories/memories.module.js';
import { ThreadsController } from './threads.controller.js';
import { ThreadsService } from './threads.service.js';

@Module({
  imports: [AuthModule, MemoriesModule],
  controllers: [ThreadsController],
  providers: [ThreadsService],
})
export class ThreadsModule {}
