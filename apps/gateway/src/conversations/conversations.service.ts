import { type Conversation, type ConversationEnded, ProblemError, type routes } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import { currentTraceparent } from '@annals/observability';
import { CLOCK, DATABASE, IDS, RELAY } from '@annals/runtime';
import { type Database, endConversation, getConversation, listConversations, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { type Principal, tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

@Injectable()
export class ConversationsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
  ) {}

  async get({ params, query, caller }: Call<typeof routes.getConversation>) {
    return this.database.readTenant(tenantOf(caller), (tx) => findOwnConversation(tx, params.id, caller, query));
  }

  /** The conversations that `get` returns to this caller. */
  async list({ query, caller }: Call<typeof routes.listConversations>) {
    const { agentId } = caller.bindings;
    return this.database.readTenant(tenantOf(caller), (tx) => listConversations(tx, { ...query, agentId }));
  }

  async end(call: Call<typeof routes.endConversation>) {
    const { params, caller } = call;
    const answer = await this.writes.run(call, async (tx) => {
      const { user_id: userId } = await findOwnConversation(tx, params.id, caller, { limit: 1 });
      const ended = await endConversation(tx, params.id, this.clock.now(), {
        ids: this.ids,
        trace: currentTraceparent() ?? null,
      });
      if (!ended) throw notFound();
      return {
        userId,
        answer: ok<ConversationEnded>({
          conversation_id: ended.conversationId,
          state: 'ended',
          ended_at: new Date(ended.endedAt).toISOString(),
          batch_ids: [...ended.batchIds],
        }),
      };
    });
    this.relay.kick();
    return answer;
  }
}

/** A conversation that the caller's key may read. Throws `not_found`, also for one of another user or agent. */
export async function findOwnConversation(
  tx: Tx,
  id: string,
  { bindings }: Principal,
  page: { limit: number; cursor?: string | undefined },
): Promise<Conversation> {
  const conversation = await getConversation(tx, id, page);
  if (!conversation) throw notFound();
  if (bindings.userId !== null && conversation.user_id !== bindings.userId) throw notFound();
  if (bindings.agentId !== null && conversation.agent_id !== bindings.agentId) throw notFound();
  return conversation;
}

function notFound(): ProblemError {
  return new ProblemError('not_found', 'There is no conversation with this id.');
}
