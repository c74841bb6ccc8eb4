import { readArguments } from './read-arguments.js';

describe('readArguments', () => {
  it.each([
    [['--help'], 'help'],
    [['mcp', '-h'], 'help'],
    [['--version', '--help'], 'help'],
    [['--version'], 'version'],
    [['mcp'], 'mcp'],
  ])('reads %j', (args, action) => {
    expect(readArguments(args)).toEqual({ action });
  });

  it.each([
    [[], /^Give a command/],
    [['mpc'], /^There is no command "mpc"/],
    [['--mcp'], /^There is no command "--mcp"/],
    [['mcp', '--url'], /^Leave out "--url": mcp takes no arguments/],
  ])('refuses %j', (args, sentence) => {
    expect(readArguments(args)).toEqual({ refusal: expect.stringMatching(sentence) });
  });
});
