import { exitOnConfigError, loadConfigOrExit } from './load-config.js';

describe('loadConfigOrExit', () => {
  afterEach(() => vi.restoreAllMocks());

  it('stops the process with code 78 and one sentence on standard error', () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('exited');
    });
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(() => loadConfigOrExit(['http'], { ANNALS_HTTP_PORT: 'eighty' })).toThrow('exited');
    expect(exit).toHaveBeenCalledWith(78);
    expect(write.mock.calls).toEqual([['ANNALS_HTTP_PORT must be a whole number from 0 to 65535.\n']]);
  });

  it('returns the configuration when the environment is valid', () => {
    expect(loadConfigOrExit(['http'], {}).http.port).toBe(8080);
  });
});

describe('exitOnConfigError', () => {
  it('rethrows an error that is not a ConfigError', () => {
    expect(() =>
      exitOnConfigError(() => {
        throw new Error('a bug');
      }),
    ).toThrow('a bug');
  });
});
