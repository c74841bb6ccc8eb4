import { routes } from '@annals/contracts';
import { DATABASE } from '@annals/runtime';
import { type Database, listMindRuns } from '@annals/storage';
import { Controller, Inject } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';

@Controller()
export class MindsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Endpoint(routes.listMindRuns)
  async listMindRuns({ caller, query }: Call<typeof routes.listMindRuns>) {
    return ok(await this.database.readTenant(tenantOf(caller), (tx) => listMindRuns(tx, query)));
  }
}
