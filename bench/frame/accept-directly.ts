import { createHash } from 'node:crypto';
import type { PostConversation } from '@annals/contracts';
import { acceptMessages } from '@annals/storage';
import type { BenchPlace } from './place.ts';

/** The gateway's transaction without the gateway. */
export function acceptDirectly(place: BenchPlace, post: PostConversation, flush: boolean) {
  const now = place.clock.now();
  const input = {
    userId: post.user_id,
    threadId: null,
    agentId: null,
    runId: null,
    appId: null,
    messages: post.messages.map(({ id, role, content }) => ({
      externalId: id ?? null,
      role,
      actorId: null,
      content,
      contentHmac: createHash('sha256').update(content).digest(),
      saidAt: now,
    })),
    end: false,
    flush,
    priority: 'interactive' as const,
    now,
    windowMs: 1_000,
    maxMessages: 50,
    trace: null,
  };
  return place.database.inTenant(place.tenantId, (tx) => acceptMessages(tx, input, place.ids));
}
