import { parseArguments } from './parse-arguments.js';

describe('parseArguments', () => {
  it('parses doctor with its options in any order', () => {
    expect(parseArguments(['doctor'])).toEqual({ command: 'doctor', isOffline: false, isJson: false });
    expect(parseArguments(['doctor', '--json', '--offline'])).toEqual({
      command: 'doctor',
      isOffline: true,
      isJson: true,
    });
  });

  it('parses verify with a tenant and its files', () => {
    const nothing = { command: 'verify', tenant: null, exportHeads: null, against: null, receipt: null, isJson: false };
    expect(parseArguments(['verify'])).toEqual(nothing);
    expect(parseArguments(['verify', '--tenant', 'acme', '--against=old.heads', '--json'])).toEqual({
      ...nothing,
      tenant: 'acme',
      against: 'old.heads',
      isJson: true,
    });
    expect(parseArguments(['verify', '--export-heads', 'new.heads', '--receipt', 'r.json'])).toEqual({
      ...nothing,
      exportHeads: 'new.heads',
      receipt: 'r.json',
    });
  });

  it.each([
    [],
    ['help'],
    ['doctor', 'who'],
    ['doctor', '--fast'],
    ['doctor', '--tenant', 'acme'],
    ['verify', 'acme'],
    ['verify', '--against'],
    ['verify', '--offline'],
    ['--json'],
  ])('returns null for %j', (...args) => {
    expect(parseArguments(args)).toBeNull();
  });
});
