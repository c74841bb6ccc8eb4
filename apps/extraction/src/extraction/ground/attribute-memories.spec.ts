import type { ExtractedItem } from '@annals/contracts';
import { identifySpeakers, runAtOnce } from '@annals/domain';
import type { StoredTurn } from '@annals/storage';
import { moveOutOfProfile } from './attribute-memories.js';
import { readBatch } from './read-batch.js';

/** The category of a profile memory that rests on what the first of these actors says. */
function categoryOf(actors: readonly (string | null)[], configured: readonly string[] = ['profile', 'relationships']) {
  const messages = actors.map((actorId, seq): StoredTurn => {
    return { id: `m${seq}`, seq, role: 'user', actorId, content: 'I live in Porto.', saidAt: seq };
  });
  const item: ExtractedItem = {
    content: 'Somebody lives in Porto.',
    category: 'profile',
    type: 'semantic',
    importance: 2,
    evidence: [{ message_id: 'm0', quote: 'I live in Porto' }],
  };
  const reading = runAtOnce(readBatch({ messages, context: [] }, { id: 'mara', names: [] }));
  const byId = new Map(messages.map((message) => [message.id, message]));
  return moveOutOfProfile([item], byId, reading, (category) => configured.includes(category))[0]!.category;
}

describe('moveOutOfProfile', () => {
  it.each([
    ['the user speaks', [null], 'profile'],
    ['the user speaks by id', ['mara'], 'profile'],
    ['a name speaks, and nobody as the user', ['Ana', 'Ben'], 'profile'],
    ['a name speaks, and the user as well', ['Ana', null], 'relationships'],
    ['somebody with an id speaks', ['U0423'], 'relationships'],
  ])('where %s: %s gives %s', (_what, actors, category) => {
    expect(categoryOf(actors)).toBe(category);
  });

  it('takes the nearest configured category, and none where there is none', () => {
    expect(categoryOf(['U0423'], ['profile', 'interests', 'history'])).toBe('history');
    expect(categoryOf(['U0423'], ['profile'])).toBe('profile');
  });
});

describe('readBatch', () => {
  it.each([
    ['another participant, since the user speaks by id', ['mara-1', 'Mara'], false],
    ['the user, since nobody speaks by id', ['Ben', 'Mara'], true],
  ])('knows in a part of the messages that a name is of %s', (_what, actors, isUser) => {
    const messages = actors.map((actorId, seq): StoredTurn => {
      return { id: `m${seq}`, seq, role: 'user', actorId, content: 'I live in Porto.', saidAt: seq };
    });
    const reading = runAtOnce(readBatch({ messages, context: [] }, { id: 'mara-1', names: ['Mara'] }));
    const [, named] = messages;
    expect(identifySpeakers(reading.user, [named!])(named!)).toEqual(reading.identify(named!));
    expect(reading.identify(named!).isUser).toBe(isUser);
  });
});
