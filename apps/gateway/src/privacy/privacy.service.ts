import { type ConversationForgotten, ProblemError, routes } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, IDS, LOGGER, METRICS, randomBytes, type Secrets, SECRETS } from '@annals/runtime';
import {
  type Database,
  type EraseUserResult,
  eraseUser,
  exportUser,
  findReceipt,
  forgetConversation,
  type WriteDependencies,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { KeyCache } from '../auth/key-cache.js';
import { actorOf, tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { findOwnConversation } from '../conversations/conversations.service.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { findPlainIds } from '../redaction/find-plain-ids.js';

/** The route whose repetition would store the messages of a forgotten conversation again. */
const ACCEPTING_ROUTE = `${routes.postConversation.method} ${routes.postConversation.path}`;

/** Export, erasure and forgetting. The table of key bindings admits keys without agent and categories only. */
@Injectable()
export class PrivacyService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(KeyCache) private readonly keyCache: KeyCache,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'retention'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  /** NDJSON, read from the database with backpressure; ends when the client disconnects. */
  async export({ params, caller }: Call<typeof routes.exportUser>) {
    const { user_id: userId } = params;
    const lines = await exportUser(this.database, tenantOf(caller), userId, this.clock);
    if (!lines) throw userNotFound();
    this.logger.info('user_exported', { tenantId: tenantOf(caller), byKeyId: caller.keyId });
    // Buffers one page: pages are megabytes, and the default would buffer sixteen.
    return Readable.from(lines, { highWaterMark: 1 });
  }

  async erase(call: Call<typeof routes.eraseUser>) {
    const { params, caller, redactor } = call;
    const { user_id: userId } = params;
    const command = { userId, actor: actorOf(caller), key: this.secrets.audit };
    const answer = await this.writes.run(call, async (tx) => {
      const erasure = await eraseUser(tx, command, this.dependencies);
      if (!erasure) throw userNotFound();
      for (const plain of await findPlainIds(tx, userId, redactor)) {
        await eraseUser(tx, { ...command, userId: plain }, this.dependencies);
      }
      const { receipt } = erasure;
      return {
        answer: ok(receipt),
        // Stored under no user: it would be data that the next erasure finds. Nor with the id, which is erased too.
        storedBody: { ...receipt, user_id: tx.pseudonymOf(userId) },
        afterCommit: () => {
          // Their page must not write anything behind the erasure.
          this.keyCache.forgetUser(tenantOf(caller), userId);
          this.logErasure(erasure, caller.keyId);
        },
      };
    });
    return { ...answer, body: { ...answer.body, user_id: userId } };
  }

  async getReceipt({ params, caller }: Call<typeof routes.getReceipt>) {
    const receipt = await this.database.readTenant(tenantOf(caller), (tx) => findReceipt(tx, params.id));
    if (!receipt) throw new ProblemError('not_found', 'There is no receipt with this id.');
    return receipt;
  }

  async forget(call: Call<typeof routes.forgetConversation>) {
    const { params, caller } = call;
    return this.writes.run(call, async (tx) => {
      const { user_id: userId } = await findOwnConversation(tx, params.id, caller, { limit: 1 });
      const command = { conversationId: params.id, actor: actorOf(caller), acceptingRoute: ACCEPTING_ROUTE };
      const forgotten = await forgetConversation(tx, command, this.dependencies);
      if (!forgotten) throw new ProblemError('not_found', 'There is no conversation with this id.');
      const afterCommit = () => this.logConversationForgotten(caller, forgotten);
      return { userId, answer: ok(forgotten), afterCommit };
    });
  }

  private logErasure({ receipt, isRepeated }: EraseUserResult, byKeyId: string): void {
    if (isRepeated) return;
    const { id: receiptId, tenant_id: tenantId, counts } = receipt;
    const rows = Object.values(counts).reduce((total, count) => total + count, 0);
    this.metrics.inc('memory_llm_erasures_total', { kind: 'user' });
    this.logger.info('user_erased', { tenantId, receiptId, rows, byKeyId });
  }

  private logConversationForgotten(caller: Call['caller'], forgotten: ConversationForgotten): void {
    const tenantId = tenantOf(caller);
    const { conversation_id: conversationId, counts, memories_deleted: deleted } = forgotten;
    this.metrics.inc('memory_llm_erasures_total', { kind: 'conversation' });
    const messages = counts['messages'] ?? 0;
    this.logger.info('conversation_forgotten', {
      tenantId,
      conversationId,
      messages,
      memoriesDeleted: deleted.length,
      byKeyId: caller.keyId,
    });
  }

  private get dependencies(): WriteDependencies {
    const { clock, ids } = this;
    return { clock, ids, randomBytes, purgeAfterMs: this.config.retention.purgeAfterMs };
  }
}

function userNotFound(): ProblemError {
  return new ProblemError('not_found', 'There is no user with this id.');
}
