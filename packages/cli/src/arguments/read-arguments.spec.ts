import { readArguments } from './read-arguments.js';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '));

describe('the arguments of the program', () => {
  it('name what to import', () => {
    expect(read('import a.zip --user ann --format openai --dry-run --no-wait')).toMatchObject({
      action: 'import',
      file: 'a.zip',
      user: 'ann',
      format: 'openai',
      isDryRun: true,
      waits: false,
    });
    expect(read('import m.json --user ann --map food=preferences --map work=a=profile')).toMatchObject({
      format: 'auto',
      category: 'knowledge',
      categories: new Map([
        ['food', 'preferences'],
        ['work=a', 'profile'],
      ]),
    });
  });

  it('name what to export', () => {
    expect(read('export --user ann --format markdown --out a.md --conversations')).toEqual({
      action: 'export',
      user: 'ann',
      format: 'markdown',
      out: 'a.md',
      hasConversations: true,
      url: undefined,
    });
  });

  it.each([
    ['--help', 'help'],
    ['import -h', 'help'],
    ['--version', 'version'],
  ])('%s asks for a page', (line, action) => {
    expect(read(line)).toEqual({ action });
  });

  it.each([
    ['', 'Give a command: annals --help lists them.'],
    ['move', 'There is no command "move": annals --help lists those that there are.'],
    ['import', 'Give the file to import: annals import <file> --user <id>.'],
    ['import a.json', 'Give the user of Annals with --user <id>.'],
    ['import a.json b.json --user ann', 'Leave out "b.json": one file is imported at a time.'],
    ['import a.json --user ann --format xml', 'Give --format one of auto, annals, mem0, openai, claude.'],
    ['import a.json --user ann --map food', 'Write --map "food" as <category of mem0>=<category of Annals>.'],
    ['import a.json --user ann --frob', "Unknown option '--frob': annals --help lists the options."],
    ['export --user ann a.json', 'Leave out "a.json": name the file with --out.'],
    ['export --user ann --dry-run', "Unknown option '--dry-run': annals --help lists the options."],
  ])('%s is refused with what to do', (line, refusal) => {
    expect(read(line)).toEqual({ refusal });
  });
});
