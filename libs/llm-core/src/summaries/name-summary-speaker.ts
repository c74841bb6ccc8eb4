import { identifySpeakers, type KnownUser } from '@annals/domain';
import { nameSubject } from '../prompt/speaker-names.js';
import type { ConversationMessage } from '../provider/llm-request.js';

type Author = Pick<ConversationMessage, 'role' | 'actorId'>;

const ROLES = { assistant: 'The assistant', tool: 'A tool', system: 'The system' } as const;

/** How summaries call the speakers of a conversation: "Ana", "The user", "Another participant (U7)", "The assistant". */
export function nameSummarySpeakers(messages: readonly Author[], user: KnownUser): (message: Author) => string {
  const identify = identifySpeakers(user, messages);
  return (message) => (message.role === 'user' ? nameSubject(identify(message)).initial : ROLES[message.role]);
}
