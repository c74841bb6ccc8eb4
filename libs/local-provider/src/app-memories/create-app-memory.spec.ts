import { checkAppMemory } from '@annals/domain';
import { type ConversationMessage, runAtOnce } from '@annals/llm-core';
import { type EndedConversation, ENDED_CONVERSATIONS } from './conversations.fixture.js';
import { UNSEEN_CONVERSATIONS } from './conversations-unseen.fixture.js';
import { MISLEADING_CONVERSATIONS } from './misleading-conversations.fixture.js';
import { createLocalAppMemory } from './create-app-memory.js';

const MONDAY = Date.UTC(2026, 4, 4, 10);
const CONVERSATIONS: readonly EndedConversation[] = [
  ...ENDED_CONVERSATIONS,
  ...UNSEEN_CONVERSATIONS,
  ...MISLEADING_CONVERSATIONS,
];

function toMessages(said: readonly string[]): ConversationMessage[] {
  return said.map((line, at) => ({
    id: `s${at}`,
    role: line.startsWith('assistant: ') ? 'assistant' : 'user',
    actorId: null,
    content: line.replace(/^assistant: /u, ''),
    createdAt: MONDAY + at,
  }));
}

const create = (said: readonly string[]) => runAtOnce(createLocalAppMemory(toMessages(said), { id: 'ana', names: [] }));

describe('createLocalAppMemory', () => {
  it.each(CONVERSATIONS.map((each) => [each.domain, each.said[0]!, each] as const))(
    '%s: %s',
    (_domain, _said, { said, must, mustNot = [] }) => {
      const content = create(said)?.content ?? null;
      if (must === null) expect(content).toBeNull();
      const missing = (must ?? []).filter((part) => !content?.toLowerCase().includes(part.toLowerCase()));
      const wrong = mustNot.filter((part) => content?.toLowerCase().includes(part.toLowerCase()));
      expect({ content, missing, wrong }).toEqual({ content, missing: [], wrong: [] });
      if (content !== null)
        expect(
          checkAppMemory(
            content,
            toMessages(said).map((each) => ({ ...each, saidAt: each.createdAt })),
          ),
        ).toEqual([]);
    },
  );
});
