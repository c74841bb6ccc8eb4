import { appMemoryQueue } from '@annals/contracts';
import { APP_MEMORY_TIMEOUT_MS } from '@annals/domain';
import type { MindContext, MindFactory, MindStage, MindSubject } from '@annals/runtime';
import { type AppMemorySubject, loadAppMemorySubject } from '@annals/storage';
import { createHash } from 'node:crypto';
import { ConversationMemory } from './conversation-memory.js';

/** A conversation, with what its app remembers of it. */
export interface AppMemoryMindSubject extends MindSubject {
  readonly conversation: AppMemorySubject;
}

/** Between two looks at whether the conversation is indexed, unless its indexing brings the work forward. */
const INDEX_WAIT_MS = 30_000;

/** Memories of apps, made of conversations that have ended (docs/reference/app-memories.md). */
export const appMemoryMind: MindFactory = { kind: 'app_memory', create: (context) => createAppMemoryStage(context) };

/** `timeLimitMs`: of the creation of a memory, and of a decision about eleven. */
export function createAppMemoryStage(
  { infrastructure, caller, leaseMs }: Pick<MindContext, 'infrastructure' | 'caller' | 'leaseMs'>,
  timeLimitMs = APP_MEMORY_TIMEOUT_MS,
): MindStage<AppMemoryMindSubject> {
  return {
    definition: appMemoryQueue,
    leaseMs,
    async read(tx, conversationId) {
      const conversation = await loadAppMemorySubject(tx, conversationId);
      if (!conversation) return null;
      const { userId, app, endedAt, isIndexed } = conversation;
      return {
        userId,
        watermark: readWatermark(conversation),
        trigger: 'end',
        // A conversation that goes on is asked for again when it ends.
        isOff: app === null || endedAt === null,
        // A turn may repeat what was deleted, which is found when it is indexed.
        notBefore: isIndexed ? null : infrastructure.clock.now() + INDEX_WAIT_MS,
        conversation,
      };
    },
    async run(run, { conversation }, attempt) {
      const { appId, endedAt } = conversation;
      // Known of a subject that is not off.
      const ended = { ...conversation, appId: appId!, endedAt: endedAt! };
      return new ConversationMemory({ ...infrastructure, caller, timeLimitMs }, run, ended, attempt).remember();
    },
  };
}

/**
 * Of what the conversation says and of the installation of its app: another app, or one that was installed again, may not
 * have the memory. Ids of apps are given by customers, so it has a digest.
 */
function readWatermark({ lastSeq, deletions, app }: AppMemorySubject): string {
  const messages = `${lastSeq}.${deletions}`;
  if (!app) return messages;
  const installation = createHash('sha256').update(`${app.appId} ${app.createdAt}`).digest('hex').slice(0, 16);
  return `${messages}.${installation}`;
}
