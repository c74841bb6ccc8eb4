import { findRetainedCheckpoints, type RetainableCheckpoint } from './find-retained-checkpoints.js';

/** `id<parent`, and the channels that are replayed: `'c<b messages'`. */
const parse = (text: string): RetainableCheckpoint => {
  const [chain, ...replayedChannels] = text.split(' ') as [string, ...string[]];
  const [checkpointId, parentId] = chain.split('<') as [string, string?];
  return { checkpointId, parentId: parentId ?? null, replayedChannels };
};

const retain = (checkpoints: readonly string[], ...wanted: string[]) =>
  [...findRetainedCheckpoints(checkpoints.map(parse), ({ checkpointId }) => wanted.includes(checkpointId))].toSorted();

describe('findRetainedCheckpoints', () => {
  it.each<[string, string[], string[], string[]]>([
    ['what is wanted alone when its state is whole', ['a', 'b<a', 'c<b'], ['c'], ['c']],
    ['ancestors back to the one that has the value', ['a', 'b<a', 'c<b x', 'd<c x'], ['d'], ['b', 'c', 'd']],
    ['all of them when none has it', ['a x', 'b<a x', 'c<b x'], ['c'], ['a', 'b', 'c']],
    ['each channel back to its own', ['a', 'b<a x', 'c<b x y', 'd<c x y'], ['d'], ['a', 'b', 'c', 'd']],
    ['one channel no further than its own', ['a', 'b<a', 'c<b y', 'd<c x y'], ['d'], ['b', 'c', 'd']],
    ['the ancestors of its own branch', ['a', 'b<a x', 'c<a x', 'd<c x'], ['d'], ['a', 'c', 'd']],
    ['of two wanted ones what each needs', ['a', 'b<a x', 'c<b', 'd<c', 'e<d x'], ['b', 'e'], ['a', 'b', 'd', 'e']],
    ['what is there of a chain that was cut', ['b<a x', 'c<b x'], ['c'], ['b', 'c']],
    ['nothing when nothing is wanted', ['a', 'b<a x'], [], []],
    ['a checkpoint that is its own parent once', ['a<a x'], ['a'], ['a']],
  ])('retains %s', (_what, checkpoints, wanted, expected) => {
    expect(retain(checkpoints, ...wanted)).toEqual(expected);
  });

  it('takes linear time along a chain that everything is wanted of', () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => parse(n === 0 ? '0' : `${n}<${n - 1} x`));
    expect(findRetainedCheckpoints(chain, () => true).size).toBe(chain.length);
  });
});
