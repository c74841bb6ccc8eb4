import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PersonController } from './person.controller.js';
import { PersonLinksService } from './person-links.service.js';

@Module({
  imports: [AuthModule, IdempotencyModule],
  controllers: [PersonController],
  providers: [PersonLinksService],
})
export class PersonModule {}
