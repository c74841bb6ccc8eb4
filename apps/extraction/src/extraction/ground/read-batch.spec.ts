import { MAX_SLICE_UNITS, runAtOnce, UNKNOWN_USER } from '@annals/domain';
import type { StoredTurn } from '@annals/storage';
import { isOwnWords, readBatch } from './read-batch.js';

const turn = (seq: number, actorId: string | null, content: string): StoredTurn => ({
  id: `m${seq}`,
  seq,
  role: 'user',
  actorId,
  content,
  saidAt: seq,
});

describe('readBatch', () => {
  it('takes the words of the user for their own while another person plays a role', () => {
    const messages = [turn(0, 'bob', "Let's role-play!"), turn(1, null, 'I like tea.'), turn(2, 'bob', 'I am a king.')];
    const reading = runAtOnce(readBatch({ messages, context: [] }, UNKNOWN_USER));
    expect(isOwnWords(reading, 'm1', 'I like tea')).toBe(true);
    expect(isOwnWords(reading, 'm2', 'I am a king')).toBe(false);
  });

  it('reads a long message in slices', () => {
    const content = 'to:a\n'.repeat(MAX_SLICE_UNITS);
    const work = readBatch({ messages: [turn(0, null, content)], context: [] }, UNKNOWN_USER);
    let steps = 1;
    while (!work.next().done) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(content.length / MAX_SLICE_UNITS);
  });
});
