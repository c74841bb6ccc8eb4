import { type CategoryConfigBody, routes } from '@annals/contracts';
import { DATABASE } from '@annals/runtime';
import { type Database, listUsers } from '@annals/storage';
import { Controller, Inject } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';

@Controller()
export class UsersController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
  ) {}

  @Endpoint(routes.listUsers)
  async listUsers({ query, caller }: Call<typeof routes.listUsers>) {
    return ok(await this.database.readTenant(tenantOf(caller), (tx) => listUsers(tx, query)));
  }

  /** A bound key is told of what it may use, and of no other agent. */
  @Endpoint(routes.listCategories)
  async listCategories({ caller: { bindings } }: Call<typeof routes.listCategories>) {
    const { categories, allowlists } = this.catalog.config;
    const { agentId, userId } = bindings;
    const visible = this.catalog.visibleCategories(bindings);
    const isBound = agentId !== null || userId !== null || bindings.categories !== null;
    const shown = Object.entries(allowlists).filter(([agent]) => !isBound || agent === agentId);
    const isVisible = (name: string) => visible === null || visible.includes(name);
    return ok<CategoryConfigBody>({
      categories: categories
        .filter(({ name }) => isVisible(name))
        .map((category) => ({
          name: category.name,
          description: category.description ?? null,
          context: category.context,
          rag_length: category.context === 'rag' ? category.ragLength : null,
          on_request_only: category.onRequestOnly ?? false,
        })),
      allowlists: Object.fromEntries(shown.map(([agent, names]) => [agent, names.filter(isVisible)])),
    });
  }
}
