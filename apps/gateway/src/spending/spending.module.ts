import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { DeploymentBudgets } from './deployment-budgets.js';
import { SpendingController } from './spending.controller.js';
import { TenantBudgets } from './tenant-budgets.js';
import { UsageReads } from './usage-reads.js';

/** Budgets, and the usage of models. */
@Module({
  imports: [IdempotencyModule],
  controllers: [SpendingController],
  providers: [UsageReads, TenantBudgets, DeploymentBudgets],
})
export class SpendingModule {}
