import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { BudgetsService } from './budgets.service.js';
import { EnergyService } from './energy.service.js';
import { UsageService } from './usage.service.js';

@Controller()
export class SpendingController {
  constructor(
    @Inject(UsageService) private readonly usage: UsageService,
    @Inject(BudgetsService) private readonly budgets: BudgetsService,
    @Inject(EnergyService) private readonly energy: EnergyService,
  ) {}

  @Endpoint(routes.getUsage)
  async getUsage(call: Call<typeof routes.getUsage>) {
    return ok(await this.usage.read(call));
  }

  @Endpoint(routes.getEnergy)
  async getEnergy(call: Call<typeof routes.getEnergy>) {
    return ok(await this.energy.read(call));
  }

  @Endpoint(routes.getBudget)
  async getBudget(call: Call<typeof routes.getBudget>) {
    return ok(await this.budgets.readOfTenant(call));
  }

  @Endpoint(routes.putBudget)
  async putBudget(call: Call<typeof routes.putBudget>) {
    return this.budgets.putOfTenant(call);
  }

  @Endpoint(routes.getDeploymentBudgets)
  async getDeploymentBudgets() {
    return ok(await this.budgets.readShared());
  }

  @Endpoint(routes.listTenantCosts)
  async listTenantCosts(call: Call<typeof routes.listTenantCosts>) {
    return ok(await this.usage.readOfTenants(call));
  }

  @Endpoint(routes.putDeploymentBudgets)
  async putDeploymentBudgets(call: Call<typeof routes.putDeploymentBudgets>) {
    return this.budgets.putShared(call);
  }
}
