import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { BudgetsService } from './budgets.service.js';
import { EnergyService } from './energy.service.js';
import { SpendingController } from './spending.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [SpendingController],
  providers: [UsageService, BudgetsService, EnergyService],
})
export class SpendingModule {}
