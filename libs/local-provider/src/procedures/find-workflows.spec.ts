import { readOwnWords } from '@annals/english';
import { findWorkflows } from './find-workflows.js';
import { LATER_CONVERSATIONS } from './later-conversations.fixture.js';
import { LOOK_ALIKES } from './look-alikes.fixture.js';
import { listMessages, type RecordedConversation } from './recorded-conversation.fixture.js';
import { UNSEEN_CONVERSATIONS } from './unseen-conversations.fixture.js';
import { WORKFLOWS } from './workflows.fixture.js';

function find(conversation: Pick<RecordedConversation, 'lines'>) {
  const messages = listMessages(conversation).map((message) => ({
    ...message,
    ownWords: message.role === 'tool' ? [] : readOwnWords(message.content).parts,
  }));
  const work = findWorkflows(messages);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
const listSteps = ({ steps }: ReturnType<typeof find>[number]) =>
  steps.map(({ instruction }) => `${instruction.charAt(0).toUpperCase()}${instruction.slice(1)}.`);

describe('findWorkflows', () => {
  it.each(WORKFLOWS)('finds the steps of: $name', (conversation) => {
    expect(find(conversation).map(listSteps)).toEqual([conversation.steps]);
  });

  it.each([...UNSEEN_CONVERSATIONS, ...LATER_CONVERSATIONS])('reads: $name', (conversation) => {
    const expected = conversation.steps.length > 0 ? [conversation.steps] : [];
    expect(find(conversation).map(listSteps)).toEqual(expected);
  });

  it.each(LOOK_ALIKES)('finds nothing in: $name', (conversation) => {
    expect(find(conversation)).toEqual([]);
  });
});
