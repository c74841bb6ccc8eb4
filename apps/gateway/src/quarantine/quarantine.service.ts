import type { routes } from '@annals/contracts';
import { DATABASE } from '@annals/runtime';
import { type Database, listMemories } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { TextEmbedder } from '../embedding/text-embedder.js';
import type { Call } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { MemoryChanges, withoutOutcome } from '../memories/memory-changes.js';
import { MemoryView } from '../memories/memory-view.js';

/** Lists, releases and rejects quarantined memories (docs/reference/extraction.md#quarantine). */
@Injectable()
export class QuarantineService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(MemoryChanges) private readonly changes: MemoryChanges,
    @Inject(MemoryView) private readonly view: MemoryView,
    @Inject(TextEmbedder) private readonly embedder: TextEmbedder,
  ) {}

  async list({ query, caller, access }: Call<typeof routes.listQuarantine>) {
    const { userId, categories } = access;
    const filters = { ...query, ...(userId === undefined ? {} : { user_id: userId }) };
    return this.database.readTenant(tenantOf(caller), (tx) =>
      listMemories(tx, { ...filters, state: 'quarantined', include_superseded: true }, { categories }),
    );
  }

  /** Embeds the memory first (docs/reference/isolation.md#no-waiting-inside-a-transaction): it has no vector yet. */
  async release(call: Call<typeof routes.releaseMemory>) {
    const { params, caller } = call;
    const tenantId = tenantOf(caller);
    const { content } = await this.database.readTenant(tenantId, (tx) => this.view.findBound(tx, params.id, caller));
    const embeddings = await this.embedder.embedContent(tenantId, content);
    return this.writes.run(call, (tx) => this.changes.applyToPath(tx, call, { kind: 'release' }, embeddings));
  }

  async reject(call: Call<typeof routes.rejectMemory>) {
    return this.writes.run(call, async (tx) =>
      withoutOutcome(await this.changes.applyToPath(tx, call, { kind: 'reject' })),
    );
  }
}
