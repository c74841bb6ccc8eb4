import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { RedactionModule } from '../redaction/redaction.module.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsService } from './tenants.service.js';

@Module({
  imports: [AuthModule, IdempotencyModule, RedactionModule],
  controllers: [TenantsController],
  providers: [TenantsService],
})
export class TenantsModule {}
