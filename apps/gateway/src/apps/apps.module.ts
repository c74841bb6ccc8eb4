import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { AppContextService } from './app-context.service.js';
import { AppMemoriesService } from './app-memories.service.js';
import { AppRegistryService } from './app-registry.service.js';
import { AppsController } from './apps.controller.js';

@Module({
  imports: [AuthModule, IdempotencyModule],
  controllers: [AppsController],
  providers: [AppRegistryService, AppMemoriesService, AppContextService],
})
export class AppsModule {}
