import { ConventionalChangelog } from 'conventional-changelog';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { LAST_FREE_COMMIT } from './first-commit.mjs';

const FILE = 'CHANGELOG.md';
const START = '<!-- From commits, by `npm run changelog`. -->';
const END = '<!-- End of the list from commits. -->';

/** The changes since the last release tag that affect users or operators, as Markdown. */
async function describeCommits() {
  const tag = execFileSync('git', ['tag', '--list', 'v*', '--sort=-v:refname'], { encoding: 'utf8' }).split('\n')[0];
  const changelog = new ConventionalChangelog()
    .loadPreset('conventionalcommits')
    .options({ outputUnreleased: true })
    .commits({ from: tag || LAST_FREE_COMMIT });
  let text = '';
  for await (const part of changelog.write()) text += part;
  // The preset begins with a heading for the version, which the file already has.
  return text.replace(/^##? .*$/m, '').trim();
}

const text = await readFile(FILE, 'utf8');
const [start, end] = [text.indexOf(START), text.indexOf(END)];
if (start < 0 || end < start) throw new Error(`${FILE} needs the lines "${START}" and "${END}".`);
await writeFile(FILE, `${text.slice(0, start + START.length)}\n\n${await describeCommits()}\n\n${text.slice(end)}`);
