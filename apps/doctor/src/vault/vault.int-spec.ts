import { deleteTenant, eraseUser } from '@annals/storage';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openVaultRoot } from '@annals/vault';
import type { Finding } from '../report.js';
import { renderVaultSummary, runVaultCheck, type VaultCheckOptions } from './vault.js';
import { VaultFixture } from './vault.fixture.js';

const HOUR_MS = 3_600_000;
const FACTS = ['Ada likes tea.', 'Ada plays chess.', 'Ada lives in Graz.'];
const TURNS = ['I like tea.', 'I play chess.'];

/** Paths of the files of items, from the folder of their user. */
const listItems = (folder: string) =>
  readdirSync(join(folder, 'entries'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `entries/${path}`)
    .toSorted();

describe('annals vault check', () => {
  let fixture: VaultFixture;
  let tenantId: string;
  let folder: string;
  let tenants = 0;

  beforeAll(async () => {
    fixture = await VaultFixture.open();
  });
  afterAll(() => fixture?.close());
  beforeEach(async () => {
    rmSync(fixture.root, { recursive: true });
    await openVaultRoot(fixture.root, { known: null, next: '01980000-0000-7000-8000-0000000000ff' });
    tenantId = await fixture.addTenant(`tenant ${(tenants += 1)}`);
    await fixture.remember(tenantId, 'ada', FACTS, TURNS);
    folder = await fixture.write(tenantId, 'ada');
  });

  async function check(request: Partial<VaultCheckOptions['request']> = {}, env: Record<string, string> = {}) {
    const emitted: Finding[] = [];
    const checked = await runVaultCheck({
      env: { ...fixture.env, ...env },
      request: { tenant: tenantId, user: null, repairs: false, ...request },
      clock: fixture.clock,
      emit: (finding) => emitted.push(finding),
    });
    expect(emitted).toEqual(checked.findings);
    expect(JSON.stringify(checked)).not.toMatch(/tea|chess|Graz/);
    return checked;
  }
  const codes = ({ findings }: { readonly findings: readonly Finding[] }) => findings.map((each) => each.check);
  const workOf = async (user: string) => {
    const subjectId = await fixture.subjectOf(tenantId, user);
    const { rows } = await fixture.superuser.query(`SELECT id FROM work WHERE kind = 'vault' AND subject_id = $1`, [
      subjectId,
    ]);
    return rows.length;
  };

  it('finds nothing in a vault as it was written, with and without a Git history', async () => {
    const checked = await check();
    expect(checked).toMatchObject({ findings: [], faults: 0, exitCode: 0, counts: { tenants: 1, users: 1, files: 5 } });
    expect(renderVaultSummary(checked)).toBe('1 user and 5 files in 1 tenant: no faults found.');
    await fixture.remember(tenantId, 'bob', ['Bob rows.']);
    const bare = await fixture.write(tenantId, 'bob', false);
    expect(existsSync(join(bare, '.git'))).toBe(false);
    expect(await check({}, { ANNALS_VAULT_GIT: 'false' })).toMatchObject({
      findings: [],
      counts: { users: 2, files: 6 },
    });
  });

  it('finds each kind of damage, which names the file and none of its words', async () => {
    const [missing, different, moved, linked] = listItems(folder);
    rmSync(join(folder, missing!));
    writeFileSync(join(folder, different!), 'Somebody wrote this.');
    mkdirSync(join(folder, 'entries/elsewhere'));
    renameSync(join(folder, moved!), join(folder, 'entries/elsewhere', moved!.split('/').at(-1)!));
    rmSync(join(folder, linked!));
    mkdirSync(join(folder, linked!));
    const gone = `${fixture.ids.next()}.md`;
    writeFileSync(join(folder, `entries/elsewhere/20260105T090000.000Z__${gone}`), 'old words');
    cpSync(join(folder, different!), join(folder, different!.replace(/\.md$/, '.conflict.md')));
    writeFileSync(join(folder, 'entries/elsewhere/notes.md'), 'notes of a person');
    const checked = await check();
    expect(checked.exitCode).toBe(1);
    const lines = checked.findings.map(({ check: code, found }) => `${code} ${/entries\/\S+\.md/.exec(found)?.[0]}`);
    expect(lines.toSorted()).toEqual(
      [
        `vault.missing ${missing}`,
        `vault.missing ${moved}`,
        `vault.different ${different}`,
        `vault.different ${linked}`,
        `vault.stray entries/elsewhere/20260105T090000.000Z__${gone}`,
        `vault.conflict ${different!.replace(/\.md$/, '.conflict.md')}`,
      ].toSorted(),
    );
    expect(checked.findings.find((each) => each.check === 'vault.conflict')?.verdict).toBe('warn');
  });

  it('finds what is not committed: another version, and a file that has gone', async () => {
    const [first, second] = listItems(folder);
    const text = readFileSync(join(folder, first!));
    writeFileSync(join(folder, first!), 'changed by hand');
    cpSync(join(folder, second!), join(folder, second!.replace(/[0-9a-f]{12}\.md$/, 'aaaaaaaaaaaa.md')));
    fixture.git(folder, 'add', '--all');
    fixture.git(folder, 'commit', '--quiet', '--message', 'By hand');
    writeFileSync(join(folder, first!), text);
    rmSync(join(folder, second!.replace(/[0-9a-f]{12}\.md$/, 'aaaaaaaaaaaa.md')));
    expect(codes(await check())).toEqual(['vault.uncommitted', 'vault.uncommitted']);
    rmSync(join(folder, '.git'), { recursive: true });
    expect(codes(await check())).toEqual(Array(5).fill('vault.uncommitted'));
  });

  it('says what is wrong with a repository that cannot be read', async () => {
    renameSync(join(folder, '.git'), join(folder, '.away'));
    writeFileSync(join(folder, '.git'), 'gitdir: .away\n');
    const checked = await check();
    expect([checked.exitCode, codes(checked)]).toEqual([1, ['vault.repository']]);
  });

  it('repairs: the whole folder is written again, and everything of others is kept', async () => {
    const [missing, different] = listItems(folder);
    rmSync(join(folder, missing!));
    writeFileSync(join(folder, different!), 'Somebody wrote this.');
    const gone = join(folder, `entries/20260105T090000.000Z__${fixture.ids.next()}.md`);
    writeFileSync(gone, 'old words');
    expect(codes(await check({ repairs: true }))).toEqual([
      'vault.missing',
      'vault.different',
      'vault.stray',
      'vault.repair',
    ]);
    expect(existsSync(join(folder, '.annals/index.json'))).toBe(false);
    expect(await workOf('ada')).toBe(1);
    expect(codes(await check())).toEqual(['vault.pending']);
    await fixture.write(tenantId, 'ada');
    expect(codes(await check())).toEqual(['vault.conflict']);
    expect(existsSync(gone)).toBe(false);
    expect(readFileSync(join(folder, different!.replace(/\.md$/, '.conflict.md')), 'utf8')).toBe(
      'Somebody wrote this.',
    );
  });

  it('repairs only what is damaged', async () => {
    await fixture.remember(tenantId, 'bob', ['Bob rows.']);
    await fixture.write(tenantId, 'bob');
    rmSync(folder, { recursive: true });
    const checked = await check({ repairs: true });
    expect(codes(checked)).toEqual(['vault.missing', 'vault.repair']);
    expect(checked.findings[0]!.found).toContain('should have 5 files');
    expect([await workOf('ada'), await workOf('bob')]).toEqual([1, 0]);
  });

  it('does not call a fault what is not written yet, and says why it is not', async () => {
    await fixture.remember(tenantId, 'ada', ['Ada owns a boat.']);
    const waiting = await check();
    expect(waiting).toMatchObject({ exitCode: 0, findings: [{ check: 'vault.pending', verdict: 'skip' }] });
    await fixture.superuser.query(`UPDATE work SET deferred_reason = 'vault_unavailable' WHERE kind = 'vault'`);
    expect(await check()).toMatchObject({
      exitCode: 0,
      findings: [{ check: 'vault.pending', verdict: 'warn', found: expect.stringContaining('vault_unavailable') }],
    });
    await fixture.superuser.query(
      `UPDATE work SET deferred_reason = NULL, failed_at = now(), failure_code = 'internal' WHERE kind = 'vault'`,
    );
    const failed = await check({ repairs: true });
    expect([failed.exitCode, codes(failed)]).toEqual([1, ['vault.pending', 'vault.missing', 'vault.repair']]);
    expect(failed.findings[0]!.found).toContain('has failed (internal)');
    await fixture.write(tenantId, 'ada');
    expect(await check()).toMatchObject({ findings: [], exitCode: 0 });
  });

  it('reports a folder of an erased user: not while its removal is new, after an hour, and when it comes back', async () => {
    await fixture.inTenant(tenantId, (tx) =>
      eraseUser(tx, { userId: 'ada', actor: 'test', key: fixture.key }, fixture.dependencies),
    );
    const pending = await check();
    expect(pending).toMatchObject({ exitCode: 0, findings: [{ check: 'vault.pending', verdict: 'skip' }] });
    fixture.clock.advance(HOUR_MS + 1);
    const late = await check();
    expect([late.exitCode, codes(late)]).toEqual([1, ['vault.not_removed']]);
    expect(late.findings[0]!.found).toContain(folder);
    await fixture.superuser.query('UPDATE vault_erasures SET removed_at = now() WHERE tenant_id = $1', [tenantId]);
    const orphan = await check();
    expect([orphan.exitCode, orphan.findings]).toMatchObject([
      1,
      [{ check: 'vault.orphan', found: expect.stringContaining(folder) }],
    ]);
  });

  it('checks every tenant, and reports the folder of one that was deleted', async () => {
    const other = await fixture.addTenant(`tenant ${(tenants += 1)}`);
    await fixture.remember(other, 'eve', ['Eve sails.']);
    await fixture.write(other, 'eve');
    await deleteTenant(fixture.database, other);
    mkdirSync(join(fixture.root, 'not of a tenant'));
    const { findings, counts } = await check({ tenant: null });
    expect(findings.filter(({ found }) => found.includes(other))).toMatchObject([{ check: 'vault.orphan' }]);
    expect(counts!.tenants).toBeGreaterThan(1);
  });

  it('checks one user alone, and one tenant by its name', async () => {
    await fixture.remember(tenantId, 'bob', ['Bob rows.']);
    rmSync(join(await fixture.write(tenantId, 'bob'), 'entries'), { recursive: true });
    expect(codes(await check({ user: 'bob' }))).toEqual(['vault.missing']);
    expect(await check({ user: 'ada' })).toMatchObject({ findings: [], counts: { users: 1 } });
    expect(codes(await check({ tenant: `tenant ${tenants}` }))).toEqual(['vault.missing']);
    expect(await check({ tenant: 'nobody' })).toMatchObject({
      exitCode: 69,
      findings: [{ found: 'There is no tenant "nobody".' }],
    });
    expect(await check({ user: 'nobody' })).toMatchObject({
      exitCode: 69,
      findings: [{ found: 'There is no user "nobody".' }],
    });
  });

  it('shows twenty files of a fault, and how many more there are', async () => {
    await fixture.remember(
      tenantId,
      'bob',
      Array.from({ length: 30 }, (_, at) => `Bob knows the number ${at} of a street.`),
    );
    rmSync(join(await fixture.write(tenantId, 'bob'), 'entries'), { recursive: true });
    const { findings, faults } = await check({ user: 'bob' });
    expect([findings.length, faults, findings.at(-1)!.found]).toEqual([
      21,
      30,
      `10 more files of user "bob" in tenant ${tenantId} have the same fault (missing).`,
    ]);
  });

  it('says why it cannot run', async () => {
    expect(await check({}, { ANNALS_VAULT_PATH: '' })).toMatchObject({
      exitCode: 69,
      counts: null,
      findings: [{ found: 'There is no vault: ANNALS_VAULT_PATH is not set.' }],
    });
    expect(await check({}, { ANNALS_VAULT_PATH: join(fixture.root, 'unmounted') })).toMatchObject({
      exitCode: 69,
      findings: [{ found: expect.stringContaining('The folder of the vault is missing') }],
    });
    expect(await check({}, { ANNALS_VAULT_GIT_SEARCH_PATH: fixture.root })).toMatchObject({
      exitCode: 69,
      findings: [{ found: expect.stringContaining('The program git was not found.') }],
    });
    expect(await check({}, { ANNALS_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' })).toMatchObject({
      exitCode: 69,
      findings: [{ found: expect.stringContaining('does not answer') }],
    });
    expect(await check({}, { ANNALS_VAULT_GIT: 'perhaps' })).toMatchObject({ exitCode: 78 });
  });
});
