import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { WorkController } from './work.controller.js';
import { WorkService } from './work.service.js';

@Module({ imports: [IdempotencyModule], controllers: [WorkController], providers: [WorkService] })
export class WorkModule {}
