import { runAtOnce } from '../text/sliced.js';
import { findRetold } from './find-retold.js';
import { readStatement } from './read-statement.js';
import { readTurn } from './read-turn.js';
import { indexStatements, listCandidates } from './statement-index.js';
import { LIMITED, RETELLINGS } from './told-anew.fixture.js';

const tellsAnew = (over: string, content: string) =>
  runAtOnce(findRetold(content, indexStatements([readStatement(over)!]))).length > 0;

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

  it('does not take a sentence that limits what is over for one that says it again', () => {
    const limited = LIMITED.flatMap(({ over, others }) => others.map((content) => ({ over, content })));
    expect(limited.filter(({ over, content }) => tellsAnew(over, content))).toEqual([]);
    expect(tellsAnew('The user rarely drinks black coffee.', 'The user still rarely drinks black coffee.')).toBe(true);
    expect(tellsAnew('The user lived in Faro until 2018.', 'The user lived in Faro until 2018, with Ana.')).toBe(true);
    expect(tellsAnew('The user lives in Lisbon.', 'The user lives in Lisbon and works until six.')).toBe(true);
  });

  it('finds the same among many, of which it compares those with enough of its words', () => {
    const statements = RETELLINGS.map(({ over }) => ({ ...readStatement(over)!, over }));
    const index = indexStatements(statements);
    for (const content of RETELLINGS.flatMap(({ anew, others }) => [...anew, ...others])) {
      const found = runAtOnce(findRetold(content, index)).map(({ over }) => over);
      expect(found).toEqual(statements.map(({ over }) => over).filter((over) => tellsAnew(over, content)));
    }
    const memory = runAtOnce(readTurn('The user is living in Lisbon with two dogs.', { is: 'nobody' }));
    expect(listCandidates(index, memory).map(({ over }) => over)).toEqual(['The user lives in Lisbon.']);
  });
});
