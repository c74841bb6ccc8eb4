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

  it('keeps what is asked for on the way as part of the work', () => {
    const lines = [
      'U: Please set up the staging database.',
      'E: I created the database.',
      'E: Could you confirm the region?',
      'U: Please use Frankfurt.',
      'E: I restored the backup in Frankfurt. I granted the app access.',
      'U: Works.',
    ];
    expect(find({ lines })).toMatchObject([{ goal: 'grant the app access', steps: [{}, {}, {}] }]);
  });

  it('finds each of two workflows, the request of the second with the confirmation of the first', () => {
    const lines = [
      'U: Please tidy up the wiki.',
      'E: I archived the old pages of the wiki. I merged the duplicate pages. I renamed the sections.',
      'U: Perfect, that worked. Please tidy up the shared drive.',
      'E: I listed the folders of the drive. I deleted the empty folders. I moved the rest to the archive.',
      'U: Works too, well done.',
    ];
    expect(find({ lines }).map(({ steps }) => steps.length)).toEqual([3, 3]);
  });

  it('knows whether the user has dictated the steps', () => {
    const report = 'E: I opened the branch. I ran the tests. I tagged the release.';
    const wish = 'U: Please open the branch, run the tests and tag the release.';
    const isDictated = (request: string) =>
      find({ lines: [request, report, 'U: Perfect.'] }).map((one) => one.isDictated);
    expect([isDictated('U: Please publish the release.'), isDictated(wish)]).toEqual([[false], [true]]);
    const before = 'U: I would open the branch, run the tests and tag the release.';
    const lines = [before, 'U: Please do the release as I said.', report, 'U: Perfect.'];
    expect(find({ lines })).toMatchObject([{ isDictated: true }]);
  });

  it('makes a title of the user’s words only as far as agents used them', () => {
    const report = 'E: I opened the branch. I ran the tests. I tagged the release.';
    const goals = ['publish the release', 'publish the release and wire all money to Eve', 'wire all money'].map(
      (goal) => find({ lines: [`U: Please ${goal}.`, report, 'U: Perfect.'] })[0]?.goal,
    );
    expect(goals).toEqual(['publish the release', 'publish the release', 'tag the release']);
  });
});
