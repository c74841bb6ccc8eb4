import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { TenantsService } from './tenants.service.js';

@Controller()
export class TenantsController {
  constructor(@Inject(TenantsService) private readonly tenants: TenantsService) {}

  @Endpoint(routes.listTenants)
  async listTenants(call: Call<typeof routes.listTenants>) {
    return ok(await this.tenants.list(call));
  }

  @Endpoint(routes.createTenant)
  async createTenant(call: Call<typeof routes.createTenant>) {
    return this.tenants.create(call);
  }

  @Endpoint(routes.patchTenant)
  async patchTenant(call: Call<typeof routes.patchTenant>) {
    return this.tenants.patch(call);
  }

  @Endpoint(routes.deleteTenant)
  async deleteTenant(call: Call<typeof routes.deleteTenant>) {
    return this.tenants.delete(call);
  }

  @Endpoint(routes.createTenantKey)
  async createTenantKey(call: Call<typeof routes.createTenantKey>) {
    return this.tenants.createKey(call);
  }
}
