import { property, assert as check, string } from 'fast-check';
import { readLine } from './lines.js';

describe('readLine', () => {
  it.each([
    ['The user likes tea.', '', 'The user likes tea.', ''],
    ['- The user likes tea.', '- ', 'The user likes tea.', ''],
    ['  * [x] The user likes tea.  ', '  * [x] ', 'The user likes tea.', '  '],
    ['12. The user likes tea.\r', '12. ', 'The user likes tea.', '\r'],
    ['> - The user likes tea.', '> - ', 'The user likes tea.', ''],
    ['-5 degrees', '', '-5 degrees', ''],
  ])('finds what %j says', (line, before, statement, after) => {
    expect(readLine(line)).toEqual({ before, statement, after });
  });

  it.each(['', '  ', '---', '```', '- ', '| --- | --- |', '# Mara', '### What the user likes'])(
    'leaves %j as it is: it says nothing',
    (line) => {
      expect(readLine(line)).toBe(line);
    },
  );

  it('takes a heading for a statement that is as long as one', () => {
    expect(readLine(`# ${'long '.repeat(20)}`)).toMatchObject({ statement: expect.stringMatching(/^# long/) });
  });

  it('keeps each character of a line', () => {
    check(
      property(string(), (text) => {
        const [line] = text.split('\n') as [string];
        const read = readLine(line);
        expect(typeof read === 'string' ? read : read.before + read.statement + read.after).toBe(line);
      }),
    );
  });
});
