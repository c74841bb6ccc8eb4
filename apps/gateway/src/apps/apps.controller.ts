import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { AppContextService } from './app-context.service.js';
import { AppMemoriesService } from './app-memories.service.js';
import { AppRegistryService } from './app-registry.service.js';

@Controller()
export class AppsController {
  constructor(
    @Inject(AppRegistryService) private readonly registry: AppRegistryService,
    @Inject(AppMemoriesService) private readonly memories: AppMemoriesService,
    @Inject(AppContextService) private readonly context: AppContextService,
  ) {}

  @Endpoint(routes.listApps)
  async listApps(call: Call<typeof routes.listApps>) {
    return ok(await this.registry.list(call));
  }

  @Endpoint(routes.getApp)
  async getApp(call: Call<typeof routes.getApp>) {
    return ok(await this.registry.get(call));
  }

  @Endpoint(routes.putApp)
  async putApp(call: Call<typeof routes.putApp>) {
    return this.registry.put(call);
  }

  @Endpoint(routes.uninstallApp)
  async uninstallApp(call: Call<typeof routes.uninstallApp>) {
    return this.registry.uninstall(call);
  }

  @Endpoint(routes.listAppMemories)
  async listAppMemories(call: Call<typeof routes.listAppMemories>) {
    return ok(await this.memories.list(call));
  }

  @Endpoint(routes.purgeAppMemories)
  async purgeAppMemories(call: Call<typeof routes.purgeAppMemories>) {
    return this.memories.purge(call);
  }

  @Endpoint(routes.deleteAppMemory)
  async deleteAppMemory(call: Call<typeof routes.deleteAppMemory>) {
    return this.memories.delete(call);
  }

  @Endpoint(routes.getAppContext)
  async getAppContext(call: Call<typeof routes.getAppContext>) {
    return ok(await this.context.read(call));
  }
}
