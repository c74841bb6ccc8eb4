import { parseOptions, PARTS } from './options.ts';

describe('options of npm run report', () => {
  it('are all parts, half an hour and a pinned seed by default', () => {
    expect(parseOptions([])).toEqual({ parts: PARTS, minutes: 30, seed: 20_260 });
  });

  it('choose parts, the time and the seed', () => {
    expect(parseOptions(['--part', 'faults', '--minutes', '2', '--seed=7'])).toEqual({
      parts: ['faults'],
      minutes: 2,
      seed: 7,
    });
  });

  it.each([
    [['--part', 'quality'], 'There is no part quality. Parts: capacity, faults, dashboards.'],
    [['--minutes', 'ten'], '--minutes has to be a whole number above 0, not ten.'],
    [['--minutes', '0'], '--minutes has to be a whole number above 0, not 0.'],
  ])('refuse %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });
});
