import { readOwnWords } from '@annals/english';
import { findWorkflows } from './find-workflows.js';
import { FOREIGN_DICTATIONS } from './foreign-dictations.fixture.js';
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
/** What is said next ends what only a tool has confirmed. */
const findAll = ({ lines }: RecordedConversation) => find({ lines: [...lines, 'U: Thanks.'] });
const listSteps = ({ steps }: ReturnType<typeof find>[number]) =>
  steps.map(({ instruction }) => `${instruction.charAt(0).toUpperCase()}${instruction.slice(1)}.`);

describe('findWorkflows', () => {
  it.each(WORKFLOWS)('finds the steps of: $name', (conversation) => {
    expect(findAll(conversation).map(listSteps)).toEqual([conversation.steps]);
  });

  it.each([...UNSEEN_CONVERSATIONS, ...LATER_CONVERSATIONS])('reads: $name', (conversation) => {
    const expected = conversation.steps.length > 0 ? [conversation.steps] : [];
    expect(findAll(conversation).map(listSteps)).toEqual(expected);
  });

  it.each(LOOK_ALIKES)('finds nothing in: $name', (conversation) => {
    expect(findAll(conversation)).toEqual([]);
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
    expect(find({ lines })).toMatchObject([{ goal: 'set up the staging database', steps: [{}, {}, {}] }]);
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

  const REPORT = 'E: I opened the branch. I ran the tests. I tagged the release.';
  const REQUEST = 'U: Please publish the release.';

  it.each([
    ['the user', [REPORT, 'U: Perfect.'], false],
    ['a tool', [REPORT, 'T: ok', 'U: Thanks.'], true],
    ['both', [REPORT, 'T: ok', 'U: Perfect.'], true],
    ['a tool before the last step', [REPORT, 'T: ok', 'E: I published the notes.', 'U: Perfect.'], false],
    ['a tool before the report', ['T: ok', REPORT, 'U: Perfect.'], false],
    ['a tool, before the user asked for more', [REPORT, 'T: ok', REQUEST], true],
  ])('is proven, or not, when %s confirms the work', (_who, lines, isProven) => {
    expect(find({ lines: [REQUEST, ...lines] })).toMatchObject([{ isProven }]);
  });

  it('is not found while agents and tools may go on', () => {
    expect(find({ lines: [REQUEST, REPORT, 'T: ok'] })).toEqual([]);
    expect(find({ lines: [REQUEST, REPORT, 'T: ok', 'E: I published the notes.'] })).toEqual([]);
  });

  it('takes requests and confirmations from the user alone, and failures from everybody', () => {
    const publish = 'O: Please publish the release.';
    expect(find({ lines: [publish, REPORT, 'T: ok', 'U: Perfect.'] })).toEqual([]);
    expect(find({ lines: [REQUEST, REPORT, 'O: Perfect.', 'O: Thanks.'] })).toEqual([]);
    expect(find({ lines: [REQUEST, REPORT, 'T: ok', 'O: It is broken.', 'U: Thanks.'] })).toEqual([]);
  });

  it('knows which steps a message before them has dictated', () => {
    const listDictated = (...before: string[]) =>
      find({ lines: [...before, REPORT, 'U: Perfect, open the branch.'] }).map((one) =>
        one.steps.filter(({ instruction }) => one.isDictated(instruction)).map(({ instruction }) => instruction),
      );
    expect(listDictated(REQUEST)).toEqual([[]]);
    expect(listDictated('U: Please publish the release: open the branch, and then go on.')).toEqual([
      ['open the branch'],
    ]);
    expect(listDictated('O: I would run the tests and tag the release.', REQUEST)).toEqual([
      ['run the tests', 'tag the release'],
    ]);
    expect(listDictated(`U: ${'So it goes. '.repeat(1_000)}`, REQUEST)).toMatchObject([{ length: 3 }]);
  });

  it.each(Object.entries(FOREIGN_DICTATIONS))('takes all steps for dictated after a message in %s', (_name, said) => {
    for (const speaker of ['U', 'O']) {
      const [found] = find({ lines: [`${speaker}: ${said}`, REQUEST, REPORT, 'T: ok', 'U: Perfect.'] });
      expect(found).toMatchObject({ isProven: true });
      expect(found!.steps.filter(({ instruction }) => found!.isDictated(instruction))).toHaveLength(3);
    }
  });

  it('can compare with nearly all of what users say in English', () => {
    const conversations = [...WORKFLOWS, ...UNSEEN_CONVERSATIONS, ...LATER_CONVERSATIONS];
    const found = conversations.flatMap((one) => findAll(one).map((workflow) => ({ ...workflow, name: one.name })));
    const waiting = found.filter(({ isDictated }) => isDictated('zzz'));
    expect(found.length).toBeGreaterThanOrEqual(38);
    expect(waiting.map(({ name }) => name)).toEqual(['elided subjects']);
  });

  it('makes a title of the user’s words as far as agents used them, or of an unproven request', () => {
    const goals = ['publish the release', 'publish the release and wire all money to Eve', 'wire all money'].map(
      (goal) => {
        const [found] = find({ lines: [`U: Please ${goal}.`, REPORT, 'T: ok', 'U: Perfect.'] });
        return [found?.goal, found?.isProven];
      },
    );
    expect(goals).toEqual([
      ['publish the release', true],
      ['publish the release', true],
      ['wire all money', false],
    ]);
  });
});
