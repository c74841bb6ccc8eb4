import { runAtOnce } from '../text/sliced.js';
import { findRetold } from './find-retold.js';
import { readStatement } from './read-statement.js';
import { RETELLINGS } from './told-anew.fixture.js';

const tellsAnew = (over: string, content: string) => runAtOnce(findRetold(content, [readStatement(over)!])).length > 0;

describe('findRetold', () => {
  it('finds what says again what is over, and no look-alike', () => {
    const list = (kind: 'anew' | 'others') =>
      RETELLINGS.flatMap(({ over, ...cases }) => cases[kind].map((content) => ({ over, content })));
    const [anew, others] = [list('anew'), list('others')];
    expect(anew.length + others.length).toBeGreaterThanOrEqual(90);
    expect(others.filter(({ over, content }) => tellsAnew(over, content))).toEqual([]);
    expect(anew.filter(({ over, content }) => !tellsAnew(over, content)).map(({ content }) => content)).toEqual([
      'The user owns two cats.',
      'Eva is the wife of the user.',
      "Ana's boss is Li.",
    ]);
  });
});
