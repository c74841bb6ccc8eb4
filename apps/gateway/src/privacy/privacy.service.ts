import { type ConversationForgotten, type ErasureReceipt, ProblemError, type routes } from '@annals/contracts';
import { type Clock, type IdGenerator, readSystemRandomBytes } from '@annals/domain';
import { CLOCK, CONFIG, DATABASE, IDS, SECRETS, type Secrets } from '@annals/runtime';
import { type Database, eraseUser, exportUser, forgetConversation, type WriteDependencies } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { bindUser, refuseCategoryBound } from '../auth/check-bindings.js';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { findOwnConversation } from '../conversations/conversations.service.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

/** What a person may ask about their own data. A key sees all of it or nothing: it is about any category. */
@Injectable()
export class PrivacyService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'retention'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  /** Lines of JSON, read as fast as they are taken; whoever goes away ends it. */
  async export({ params, caller }: Call<typeof routes.exportUser>): Promise<Readable> {
    const userId = bindWholeUser(caller, params.user_id);
    const lines = await exportUser(this.database, tenantOf(caller), userId, this.clock);
    if (!lines) throw userNotFound();
    return Readable.from(lines);
  }

  async erase(call: Call<typeof routes.eraseUser>): Promise<Answer<ErasureReceipt>> {
    const { params, caller } = call;
    const userId = bindWholeUser(caller, params.user_id);
    const command = { userId, actor: `key:${caller.keyId}`, key: this.secrets.audit };
    return this.writes.run(call, async (tx) => {
      const receipt = await eraseUser(tx, command, this.dependencies);
      if (!receipt) throw userNotFound();
      return { userId, answer: ok(receipt) };
    });
  }

  async forget(call: Call<typeof routes.forgetConversation>): Promise<Answer<ConversationForgotten>> {
    const { params, caller } = call;
    refuseCategoryBound(caller.bindings);
    return this.writes.run(call, async (tx) => {
      const { user_id: userId } = await findOwnConversation(tx, params.id, caller, { limit: 1 });
      const command = { conversationId: params.id, actor: `key:${caller.keyId}` };
      const forgotten = await forgetConversation(tx, command, this.dependencies);
      if (!forgotten) throw new ProblemError('not_found', 'There is no conversation with this id.');
      return { userId, answer: ok(forgotten) };
    });
  }

  private get dependencies(): WriteDependencies {
    const { clock, ids } = this;
    const randomBytes = (size: number) => Buffer.from(readSystemRandomBytes(size));
    return { clock, ids, randomBytes, purgeAfterMs: this.config.retention.purgeAfterMs };
  }
}

function bindWholeUser({ bindings }: Call['caller'], requested: string): string {
  const userId = bindUser(bindings, requested);
  if (bindings.categories !== null || bindings.agentId !== null) {
    throw new ProblemError(
      'forbidden_category',
      'What is known of a user can be about anything: use a key that is bound to no category and no agent.',
    );
  }
  return userId;
}

function userNotFound(): ProblemError {
  return new ProblemError('not_found', 'There is no user with this id.');
}
