import { runAtOnce } from '@annals/domain';
import { SourceGrounder } from './ground-sources.js';

const SAID_AT = 1_000;
const grounderOf = (texts: Readonly<Record<string, string>>) =>
  new SourceGrounder((id) => {
    const content = texts[id];
    return id === 'deleted'
      ? null
      : { id: `here-${id}`, text: content === undefined ? undefined : { content, saidAt: SAID_AT } };
  });
const source = (messageId: string, ...quotes: string[]) => ({ messageId, quotes });

describe('SourceGrounder', () => {
  it('takes quotes that occur, in the form in which they do, and counts messages that are not there', () => {
    const sources = [
      source('a', '[email 1]', 'x@y.z'),
      source('b', 'never said'),
      source('c', 'q'),
      source('deleted', 'q'),
    ];
    const grounding = grounderOf({ a: 'Write to x@y.z.', b: 'Hello.' }).ground({ sources });
    expect(runAtOnce(grounding)).toEqual({
      sources: [{ messageId: 'here-a', quote: 'x@y.z' }],
      saidAt: SAID_AT,
      missing: 1,
    });
  });

  it('lets others work between searches of long messages, also of several memories', () => {
    const grounder = grounderOf({ a: 'a'.repeat(100_000), b: 'b' });
    const countYields = (...ids: string[]) => {
      const grounding = grounder.ground({ sources: ids.map((id) => source(id, 'aab')) });
      let yields = 0;
      while (!grounding.next().done) yields += 1;
      return yields;
    };
    expect(countYields('b', 'a', 'a')).toBe(2);
    expect(countYields('a')).toBe(1);
  });
});
