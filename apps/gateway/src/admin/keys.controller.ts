import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { KeysService } from './keys.service.js';

@Controller()
export class KeysController {
  constructor(@Inject(KeysService) private readonly keys: KeysService) {}

  @Endpoint(routes.getOwnKey)
  async getOwnKey({ caller }: Call<typeof routes.getOwnKey>) {
    return ok(await this.keys.describe(caller));
  }

  @Endpoint(routes.endOwnKey)
  async endOwnKey({ caller }: Call<typeof routes.endOwnKey>) {
    return ok(await this.keys.end(caller));
  }

  @Endpoint(routes.listKeys)
  async listKeys(call: Call<typeof routes.listKeys>) {
    return ok(await this.keys.list(call));
  }

  @Endpoint(routes.createKey)
  async createKey(call: Call<typeof routes.createKey>) {
    return this.keys.create(call);
  }

  @Endpoint(routes.revokeKey)
  async revokeKey(call: Call<typeof routes.revokeKey>) {
    return this.keys.revoke(call);
  }
}
