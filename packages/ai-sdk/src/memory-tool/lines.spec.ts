import { assert as check, constantFrom, oneof, property, string } from 'fast-check';
import { readLine } from './lines.js';

describe('readLine', () => {
  it.each([
    ['The user likes tea.', '', 'The user likes tea.', ''],
    ['- The user likes tea.', '- ', 'The user likes tea.', ''],
    ['  * [x] The user likes tea.  ', '  * [x] ', 'The user likes tea.', '  '],
    ['12. The user likes tea.\r', '12. ', 'The user likes tea.', '\r'],
    ['> - The user likes tea.', '> - ', 'The user likes tea.', ''],
    ['-5 degrees', '', '-5 degrees', ''],
    ['- Tea.\u2028Call 555 1234.', '- ', 'Tea.\u2028Call 555 1234.', ''],
    ['---\u2029The user likes tea.', '', '---\u2029The user likes tea.', ''],
    ['---\rThe user likes tea.\r', '', '---\rThe user likes tea.', '\r'],
    ['# Mara\rThe user likes tea.', '', '# Mara\rThe user likes tea.', ''],
    ['  5551. 1234) ---', '  ', '5551. 1234) ---', ''],
  ])('finds what %j says', (line, before, statement, after) => {
    expect(readLine(line)).toEqual({ before, statement, after });
  });

  it.each(['', '  ', '---', '```', '- ', '| --- | --- |', '# Mara', '# Mara\r', '### What the user likes'])(
    'leaves %j as it is: it says nothing',
    (line) => {
      expect(readLine(line)).toBe(line);
    },
  );

  it('takes a heading for a statement that is as long as one', () => {
    expect(readLine(`# ${'long '.repeat(20)}`)).toMatchObject({ statement: expect.stringMatching(/^# long/) });
  });

  const lines = string({ unit: constantFrom('\u2028', '\u2029', '\r', '-', '#', ' ', '1', '.', '[', ']', 'x', 'é') });

  it('keeps each character of a line', () => {
    check(
      property(oneof(string(), lines), (text) => {
        const [line] = text.split('\n') as [string];
        const read = readLine(line);
        expect(typeof read === 'string' ? read : read.before + read.statement + read.after).toBe(line);
      }),
    );
  });

  it('takes whatever has a letter or a digit for a statement, unless it is a heading of one line', () => {
    check(
      property(lines, (line) => {
        if (!/[\p{L}\p{N}]/u.test(line)) expect(readLine(line)).toBe(line);
        else if (!/^#+ [^\u2028\u2029\r]*\r?$/.test(line.trimStart())) expect(readLine(line)).toBeTypeOf('object');
      }),
    );
  });

  it.each([' '.repeat(200_000), `1.${' '.repeat(200_000)}`, `${' '.repeat(200_000)}x${' '.repeat(200_000)}`])(
    'reads a line of blanks in one pass',
    (line) => {
      const read = readLine(line);
      expect(typeof read === 'string' ? read : read.before + read.statement + read.after).toBe(line);
    },
  );
});
