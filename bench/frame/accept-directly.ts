import { createHash } from 'node:crypto';
import type { PostConversation } from '@annals/contracts';
import { acceptMessages } from '@annals/storage';
import type { BenchEnvironment } from './bench-environment.ts';

/** Runs the transaction of the gateway without HTTP, authentication and redaction. */
export function acceptDirectly(environment: BenchEnvironment, post: PostConversation, flush: boolean) {
  const now = environment.clock.now();
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
  return environment.database.inTenant(environment.tenantId, (tx) => acceptMessages(tx, input, environment.ids));
}
