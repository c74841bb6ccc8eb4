import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LeaseLostError } from '@annals/runtime';
import { VaultStageFixture } from './vault-stage.fixture.js';

describe('edits of the vault in its work', () => {
  let fixture: VaultStageFixture;
  let users = 0;
  /** Another user for each test, with one memory in a file. */
  let user: string;
  let subjectId: string;
  let place: string;

  beforeAll(async () => {
    fixture = await VaultStageFixture.open();
  });
  beforeEach(async () => {
    user = `user-${++users}`;
    fixture.isWatched = true;
    fixture.checks = 'warn';
    await fixture.add(user, 'The user likes tea.');
    subjectId = await fixture.subjectOf(user);
    await fixture.run(subjectId);
    const [folder] = await fixture.findFolders(subjectId);
    const [file] = readdirSync(join(folder!, 'entries/_manual/facts'));
    place = join(folder!, 'entries/_manual/facts', file!);
  });
  afterAll(() => fixture?.close());

  const edit = (text: string) => {
    const edited = readFileSync(place, 'utf8').replace('The user likes tea.', text);
    writeFileSync(place, edited);
    return edited;
  };
  const contents = async () => {
    const rows = await fixture.query<{ content: string }>(
      `SELECT content FROM memories WHERE user_id = $1 AND state = 'active' AND superseded_by IS NULL`,
      [user],
    );
    return rows.map(({ content }) => content);
  };
  /** As the watcher asks for it. */
  const ask = () => fixture.add(user, 'The user has a dog.');

  it('are redacted with the pseudonyms of the tenant', async () => {
    edit('The user can be reached at ned@example.com.');
    await ask();
    await fixture.run(subjectId);
    expect(await contents()).toContainEqual(
      expect.stringMatching(/^The user can be reached at \[email [0-9a-f]{16}\]\.$/),
    );
  });

  it('are refused where texts are that are written like that', async () => {
    fixture.checks = 'refuse';
    edit('I like it.');
    await ask();
    await fixture.run(subjectId);
    expect(await contents()).toContain('The user likes tea.');
    expect(readFileSync(place, 'utf8')).toContain('The user likes tea.');
    expect(readFileSync(place.replace('.md', '.conflict.md'), 'utf8')).toContain('I like it.');
  });

  it('are undone when another worker has the user meanwhile', async () => {
    edit('The user likes cake.');
    await ask();
    const slow = await fixture.claim(subjectId);
    fixture.settle();
    const other = await fixture.claim(subjectId);
    await expect(fixture.finish(slow)).rejects.toThrow(LeaseLostError);
    expect(await contents()).toContain('The user likes tea.');
    expect(await fixture.finish(other)).toEqual({ ends: 'done' });
    expect(await contents()).toContain('The user likes cake.');
  });

  it('are of nobody any more when the user was erased', async () => {
    edit('The user likes cake.');
    await ask();
    const slow = await fixture.claim(subjectId);
    await fixture.erase(user);
    await expect(fixture.finish(slow)).rejects.toThrow(LeaseLostError);
    expect(await contents()).toEqual([]);
  });

  it('stay beside the file where the vault is not watched', async () => {
    fixture.isWatched = false;
    edit('The user likes cake.');
    await ask();
    await fixture.run(subjectId);
    expect(await contents()).toContain('The user likes tea.');
    expect(readFileSync(place, 'utf8')).toContain('The user likes cake.');
  });

  it('cause one more run, which changes nothing', async () => {
    edit('The user likes cake.');
    await ask();
    await fixture.run(subjectId);
    expect(await fixture.findWork(subjectId)).toHaveLength(1);
    const [before] = await fixture.query('SELECT chain_seq FROM users WHERE user_id = $1', [user]);
    await fixture.run(subjectId);
    expect(await fixture.findWork(subjectId)).toEqual([]);
    expect(await fixture.query('SELECT chain_seq FROM users WHERE user_id = $1', [user])).toEqual([before]);
  });
});
