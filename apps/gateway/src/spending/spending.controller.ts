import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { DeploymentBudgets } from './deployment-budgets.js';
import { TenantBudgets } from './tenant-budgets.js';
import { UsageReads } from './usage-reads.js';

@Controller()
export class SpendingController {
  constructor(
    @Inject(UsageReads) private readonly usage: UsageReads,
    @Inject(TenantBudgets) private readonly tenants: TenantBudgets,
    @Inject(DeploymentBudgets) private readonly deployment: DeploymentBudgets,
  ) {}

  @Endpoint(routes.getUsage)
  async getUsage(call: Call<typeof routes.getUsage>) {
    return ok(await this.usage.read(call));
  }

  @Endpoint(routes.getBudget)
  async getBudget(call: Call<typeof routes.getBudget>) {
    return ok(await this.tenants.read(call));
  }

  @Endpoint(routes.putBudget)
  async putBudget(call: Call<typeof routes.putBudget>) {
    return this.tenants.put(call);
  }

  @Endpoint(routes.getDeploymentBudgets)
  async getDeploymentBudgets() {
    return ok(await this.deployment.read());
  }

  @Endpoint(routes.putDeploymentBudgets)
  async putDeploymentBudgets(call: Call<typeof routes.putDeploymentBudgets>) {
    return this.deployment.put(call);
  }
}
