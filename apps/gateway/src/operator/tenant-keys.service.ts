import { type ApiKey, type ApiKeyCreated, ProblemError, type routes } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, IDS, LOGGER } from '@annals/runtime';
import { FOREIGN_KEY_VIOLATION, sqlState } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, Call } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { insertFullKey } from './insert-full-key.js';

/** Lets an operator create a key for a tenant that has lost its own. The tenant can list and revoke it. */
@Injectable()
export class TenantKeysService {
  constructor(
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The idempotent response is stored in the tenant's rows, so that it is deleted with the tenant. */
  async create(call: Call<typeof routes.createTenantKey>): Promise<Answer<ApiKeyCreated>> {
    const { params, body, caller } = call;
    let made: ApiKey | null = null;
    const answer = await this.writes
      .runIn<ApiKeyCreated>(params.id, call, async (tx) => {
        const { key, text } = await insertFullKey(tx, { id: this.ids.next(), name: body.name, now: this.clock.now() });
        made = key;
        return { answer: { status: 201, body: { ...key, key: text } }, storedBody: key };
      })
      .catch(explainMissing);
    if (made) this.logger.info('key_created', { tenantId: params.id, keyId: answer.body.id, byKeyId: caller.keyId });
    return answer;
  }
}

/** Turns the foreign key violation of a tenant that does not exist (any more) into `not_found`. */
function explainMissing(error: unknown): never {
  if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
  throw new ProblemError('not_found', 'There is no tenant with this id.');
}
