import { readOwnWords } from '@annals/english';
import { HOSTILE_TEXTS, MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import { findWorkflows, type WorkMessage } from './find-workflows.js';
import { listMessages } from './recorded-conversation.fixture.js';

const MESSAGE_UNITS = 16_000;
/** Work that makes the rules compare as much as they can. */
const HOSTILE_WORK = [
  ...HOSTILE_TEXTS,
  ...['I ran a. ', 'I ran a, ran b and ran c. ', 'I ran a. It failed. ', 'Please run the a. ', 'It works. '].map(
    (piece) => ({ name: piece, make: (length: number) => piece.repeat(length / piece.length) }),
  ),
  {
    name: 'a new step with every sentence',
    make: (length: number) => Array.from({ length: length / 12 }, (_, index) => `I ran q${index}z. `).join(''),
  },
];

function write(content: string, count: number): WorkMessage[] {
  const lines = Array.from({ length: count }, (_, index) => `${'UET'.charAt(index % 3)}: ${content}`);
  return listMessages({ lines: ['U: Please run the tests.', ...lines] }).map((message) => ({
    ...message,
    ownWords: readOwnWords(message.content).parts,
  }));
}

function countSlices(messages: readonly WorkMessage[]): number {
  const work = findWorkflows(messages);
  let slices = 1;
  while (!work.next().done) slices += 1;
  return slices;
}

describe('findWorkflows in hostile texts', () => {
  it.each(HOSTILE_WORK)('yields between the messages of $name', ({ make }) => {
    expect(countSlices(write(make(MESSAGE_UNITS), 6))).toBeGreaterThanOrEqual(7);
  });

  it('reads a message of many steps in several slices, and not all of them', () => {
    const steps = (count: number) => Array.from({ length: count }, (_, index) => `I ran q${index}z. `).join('');
    const read = (count: number) => countSlices(write(steps(count), 3));
    expect(read(120)).toBeGreaterThan(read(20));
    expect(read(1_200)).toBe(read(1_000));
  });

  it.each(['I ran a. ', 'I ran a. It failed. ', 'a new step with every sentence', 'one letter', 'line breaks'])(
    'takes time in proportion to the number of messages of %j',
    (name) => {
      const { make } = HOSTILE_WORK.find((text) => text.name === name)!;
      const messages = write(make(MESSAGE_UNITS / 4), 64);
      const work = (count: number) => countSlices(messages.slice(0, count));
      expect(measureCpuGrowth(work, 64)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );
});
