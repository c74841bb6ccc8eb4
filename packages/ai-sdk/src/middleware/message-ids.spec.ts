import type { Said } from './conversation.js';
import { MessageIds } from './message-ids.js';

const SCOPE = ['mara', 't-1'];
const talk = (...texts: string[]): Said[] =>
  texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text }));

describe('MessageIds', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('hashes what is new', async () => {
    const ids = new MessageIds(SCOPE);
    const first = await ids.derive(talk('a', 'b', 'c'));
    const digest = vi.spyOn(globalThis.crypto.subtle, 'digest');
    expect((await ids.derive(talk('a', 'b', 'c', 'd'))).slice(0, 3)).toEqual(first);
    expect(digest).toHaveBeenCalledTimes(1);
    // A conversation that is cut or rewritten shares its beginning.
    expect((await ids.derive(talk('a', 'b', 'x'))).slice(0, 2)).toEqual(first.slice(0, 2));
    expect(digest).toHaveBeenCalledTimes(2);
    await ids.derive(talk('a'));
    expect(digest).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['in turn', 1],
    ['at once', 4],
  ])('gives the ids that a new process gives, for conversations that are read %s', async (_how, together) => {
    const ids = new MessageIds(SCOPE);
    const conversations = [talk('a', 'b', 'c'), talk('a', 'b', 'c', 'd', 'e'), talk('x', 'b'), talk('a', 'y'), talk()];
    const anew = await Promise.all(conversations.map((said) => new MessageIds(SCOPE).derive(said)));
    expect(new Set(anew.flat()).size).toBe(8);
    const derived: string[][] = [];
    for (let start = 0; start < conversations.length; start += together)
      derived.push(
        ...(await Promise.all(conversations.slice(start, start + together).map((said) => ids.derive(said)))),
      );
    expect(derived).toEqual(anew);
  });

  it('has kept its ids since they were first derived', async () => {
    expect(await new MessageIds(SCOPE).derive(talk('a'))).toEqual(['ai-cd20a3e2b896f0cd1bfb5d3241d017d8']);
  });
});
