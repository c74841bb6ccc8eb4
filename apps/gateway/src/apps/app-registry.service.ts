import { type AppBody, type AppUninstalled, ProblemError, type routes } from '@annals/contracts';
import { type Clock, type IdGenerator, MAX_APP_MEMORIES } from '@annals/domain';
import { currentTraceparent, type Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER } from '@annals/runtime';
import {
  type App,
  type Database,
  findApp,
  hasMoreThanOnePool,
  listApps,
  purgeAppMemories,
  putApp,
  uninstallApp,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

/** The apps that are installed (docs/reference/app-memories.md#apps). */
@Injectable()
export class AppRegistryService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list({ query, caller }: Call<typeof routes.listApps>) {
    const page = await this.database.readTenant(tenantOf(caller), (tx) => listApps(tx, query));
    return { ...page, items: page.items.map(toBody) };
  }

  async get({ params, caller }: Call<typeof routes.getApp>): Promise<AppBody> {
    const app = await this.database.readTenant(tenantOf(caller), (tx) => findApp(tx, params.app_id));
    if (!app) throw notInstalled();
    return toBody(app);
  }

  async put(call: Call<typeof routes.putApp>) {
    const { params, body } = call;
    return this.writes.run(call, async (tx) => {
      const { name, shared: isShared } = body;
      const { app_id: appId } = params;
      const isNewlyShared = isShared === true && !(await findApp(tx, appId))?.isShared;
      if (isNewlyShared && (await hasMoreThanOnePool(tx, appId))) throw tooManyToShare();
      const app = await putApp(tx, { appId, name, isShared, now: this.clock.now() });
      return { answer: ok(toBody(app)) };
    });
  }

  async uninstall(call: Call<typeof routes.uninstallApp>) {
    const { params, query, caller } = call;
    const { app_id: appId } = params;
    return this.writes.run(call, async (tx) => {
      const request = { now: this.clock.now(), ids: this.ids, trace: currentTraceparent() ?? null };
      // First, since it locks all memories by id, and not those that wait for a decision before the others.
      const count = query.purge_memories ? await purgeAppMemories(tx, { appId, userId: undefined }, request) : null;
      if (!(await uninstallApp(tx, appId, this.clock.now()))) throw notInstalled();
      const afterCommit = () => {
        const by = { tenantId: tenantOf(caller), keyId: caller.keyId };
        this.logger.info('app_uninstalled', by);
        if (count !== null) this.logger.info('app_memories_deleted', { ...by, count });
      };
      return { answer: ok<AppUninstalled>({ app_id: appId, deleted_count: count ?? 0 }), afterCommit };
    });
  }
}

/** One pool has ten memories: the next one that is made would remove those of all but the last users, for good. */
function tooManyToShare(): ProblemError {
  return new ProblemError(
    'app_not_shareable',
    `The app has more than ${MAX_APP_MEMORIES} memories, and a shared app has ${MAX_APP_MEMORIES} for all users: delete memories with DELETE /v1/apps/{app_id}/memories first, or leave "shared" out.`,
  );
}

/** Also when no app ever had this id: an app has to be installed before it remembers. */
export function notInstalled(): ProblemError {
  return new ProblemError(
    'not_found',
    'The app is not installed: send PUT /v1/apps/{app_id} with its name first. Its memories, if any, are listed at GET /v1/apps/{app_id}/memories.',
  );
}

function toBody({ appId, name, isShared, createdAt, updatedAt }: App): AppBody {
  return {
    app_id: appId,
    name,
    shared: isShared,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}
