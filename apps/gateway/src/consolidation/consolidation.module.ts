import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ConsolidationController } from './consolidation.controller.js';
import { ConsolidationService } from './consolidation.service.js';

@Module({ imports: [IdempotencyModule], controllers: [ConsolidationController], providers: [ConsolidationService] })
export class ConsolidationModule {}
