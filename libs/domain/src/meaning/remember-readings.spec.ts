import { rememberReadings } from './remember-readings.js';

describe('rememberReadings', () => {
  it('reads a statement once, also when it has no reading', () => {
    const read = vi.fn((statement: string) => (statement === 'none' ? null : { length: statement.length }));
    const remembered = rememberReadings(read);
    expect([remembered('four'), remembered('none'), remembered('four'), remembered('none')]).toEqual([
      { length: 4 },
      null,
      { length: 4 },
      null,
    ]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('forgets the statements that were read longest ago', () => {
    const read = vi.fn((statement: string) => ({ statement }));
    const remembered = rememberReadings(read);
    const statementOf = (index: number) => `${index}`.padStart(1_000, '0');
    for (let index = 0; index <= 500; index += 1) remembered(statementOf(index));
    remembered(statementOf(500));
    expect(read).toHaveBeenCalledTimes(501);
    remembered(statementOf(0));
    expect(read).toHaveBeenCalledTimes(502);
  });

  it('does not keep a text that is much longer than a statement', () => {
    const read = vi.fn(() => ({}));
    const remembered = rememberReadings(read);
    remembered('x'.repeat(2_001));
    remembered('x'.repeat(2_001));
    expect(read).toHaveBeenCalledTimes(2);
  });
});
