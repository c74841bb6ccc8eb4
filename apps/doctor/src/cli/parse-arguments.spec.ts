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

  it('parses deletions with one of its two files', () => {
    const nothing = { command: 'deletions', export: null, replay: null, isDryRun: false, isJson: false };
    expect(parseArguments(['deletions', '--export', 'd.ndjson'])).toEqual({ ...nothing, export: 'd.ndjson' });
    expect(parseArguments(['deletions', '--replay', 'd.ndjson', '--dry-run', '--json'])).toEqual({
      ...nothing,
      replay: 'd.ndjson',
      isDryRun: true,
      isJson: true,
    });
  });

  it('parses backup and restore with their folder', () => {
    expect(parseArguments(['backup'])).toEqual({ command: 'backup', target: 'backups', withKeys: true, isJson: false });
    expect(parseArguments(['backup', '/mnt', '--without-keys'])).toMatchObject({ target: '/mnt', withKeys: false });
    const restore = { command: 'restore', backup: '/mnt/b', deletions: null, isJson: false };
    expect(parseArguments(['restore', '/mnt/b'])).toEqual(restore);
    expect(parseArguments(['restore', '/mnt/b', '--deletions', 'd'])).toEqual({ ...restore, deletions: 'd' });
  });

  it('parses vault with what is done to it', () => {
    const check = { command: 'vault', action: 'check', tenant: null, user: null, repairs: false, isJson: false };
    expect(parseArguments(['vault', 'check'])).toEqual(check);
    expect(parseArguments(['vault', 'check', '--tenant', 'acme', '--user=ada', '--repair', '--json'])).toEqual({
      ...check,
      tenant: 'acme',
      user: 'ada',
      repairs: true,
      isJson: true,
    });
    expect(parseArguments(['vault', 'off'])).toEqual({ command: 'vault', action: 'off', isJson: false });
  });

  it.each([
    [],
    ['vault'],
    ['vault', 'on'],
    ['vault', '--json'],
    ['vault', 'check', 'ada'],
    ['vault', 'off', '--tenant', 'acme'],
    ['vault', 'off', '--repair'],
    ['deletions'],
    ['deletions', '--export', 'a', '--replay', 'b'],
    ['deletions', '--export', 'a', '--dry-run'],
    ['backup', 'one', 'two'],
    ['restore'],
    ['restore', 'one', 'two'],
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
