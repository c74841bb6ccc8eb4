import { parseArguments } from './parse-arguments.js';

describe('parseArguments', () => {
  it('takes doctor with its options in any order', () => {
    expect(parseArguments(['doctor'])).toEqual({ isOffline: false, isJson: false });
    expect(parseArguments(['--json', 'doctor', '--offline'])).toEqual({ isOffline: true, isJson: true });
  });

  it.each([[], ['help'], ['doctor', 'who'], ['doctor', '--fast'], ['--json']])('takes nothing else: %j', (...args) => {
    expect(parseArguments(args)).toBeNull();
  });
});
