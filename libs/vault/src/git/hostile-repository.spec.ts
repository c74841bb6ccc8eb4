import { appendFile, chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, createTestVault, removeTestFolders, runPersonsGit } from './vault.fixture.js';

/** Every setting by which a repository makes Git run a program, and some that lead it elsewhere. */
function writeHostileConfig(program: string, elsewhere: string): string {
  return `
[core]
  hooksPath = ${path.dirname(program)}
  fsmonitor = ${program}
  sshCommand = ${program}
  gitProxy = ${program}
  askPass = ${program}
  editor = ${program}
  pager = ${program}
  alternateRefsCommand = ${program}
  worktree = ${elsewhere}
  attributesFile = ${elsewhere}/attributes
  autocrlf = true
  splitIndex = true
  untrackedCache = true
  logAllRefUpdates = always
[include]
  path = ${elsewhere}/included
[filter "evil"]
  clean = ${program}
  smudge = ${program}
  process = ${program}
  required = true
[diff "evil"]
  textconv = ${program}
  command = ${program}
[diff]
  external = ${program}
[merge "evil"]
  driver = ${program}
[alias]
  fast-import = !${program}
  update-ref = !${program}
  rev-parse = !${program}
[gpg]
  program = ${program}
[commit]
  gpgSign = true
[tag]
  gpgSign = true
[log]
  showSignature = true
[credential]
  helper = !${program}
[gc]
  auto = 1
  recentObjectsHook = ${program}
[pager]
  rev-list = ${program}
[uploadpack]
  packObjectsHook = ${program}
[protocol]
  allow = always
[protocol "ext"]
  allow = always
[extensions]
  partialClone = evil
[remote "evil"]
  url = ext::${program}
  uploadpack = ${program}
  promisor = true
  partialclonefilter = blob:none
`;
}

const HOOKS = ['reference-transaction', 'post-index-change', 'pre-commit', 'post-commit', 'pre-auto-gc', 'update'];

describe('a repository whose configuration names programs', () => {
  afterAll(removeTestFolders);

  it('has none of them run by commits, repairs and forgetting', async () => {
    const vault = await createTestVault();
    const evil = await createTestFolder();
    const program = path.join(evil, 'program');
    const marks = path.join(evil, 'marks');
    await mkdir(marks);
    await writeFile(program, `#!/bin/sh\n: > ${marks}/$$\ncat\nexit 0\n`);
    await chmod(program, 0o755);
    await vault.commit({ 'a.md': 'A\r\n', '.gitattributes': '* filter=evil diff=evil merge=evil text\n' });
    await vault.git('tag', '-a', '-m', 'annotated', 'v1');
    const config = writeHostileConfig(program, evil);
    await writeFile(path.join(evil, 'included'), config.replaceAll('[include]', '[included]'));
    await writeFile(path.join(evil, 'attributes'), '* filter=evil\n');
    await appendFile(path.join(vault.folder, '.git/config'), config);
    await mkdir(path.join(vault.folder, '.git/hooks'), { recursive: true });
    await mkdir(path.join(vault.folder, '.git/info'), { recursive: true });
    await writeFile(path.join(vault.folder, '.git/info/attributes'), '* filter=evil diff=evil\n');
    for (const hook of HOOKS) {
      for (const place of [path.join(vault.folder, '.git/hooks', hook), path.join(evil, hook)]) {
        await writeFile(place, `#!/bin/sh\n: > ${marks}/${hook}\n`);
        await chmod(place, 0o755);
      }
    }

    const head = await vault.commit({ 'a.md': 'B\r\n', 'b.md': 'B' });
    await writeFile(path.join(vault.folder, '.git/annals-committing'), '');
    await writeFile(path.join(vault.folder, '.git/index'), 'torn');
    const repository = await vault.reopen();
    expect(await repository.headFiles()).toMatchObject({ size: 3 });
    await repository.pack();
    await repository.hashFiles(['a.md']);
    expect((await repository.forget({ keep: (name) => name !== 'b.md' })).commits).toBe(2);
    expect((await repository.state()).head).not.toBe(head);
    expect(await repository.count()).toMatchObject({ commits: 2 });
    expect(await readdir(marks)).toEqual([]);

    await writeFile(path.join(vault.folder, '.git/config'), '[core]\n');
    expect(await vault.git('cat-file', 'blob', 'HEAD:a.md')).toBe('B\r');
    // The programs work: Git as a person runs it runs them.
    await appendFile(path.join(vault.folder, '.git/config'), config);
    await runPersonsGit(vault.folder, ['update-ref', 'refs/heads/proof', 'HEAD']);
    expect(await readdir(marks)).not.toEqual([]);
  });

  it('asks no remote for an object that is missing', async () => {
    const vault = await createTestVault();
    const evil = await createTestFolder();
    const program = path.join(evil, 'program');
    await writeFile(program, `#!/bin/sh\n: > ${evil}/mark\n`);
    await chmod(program, 0o755);
    await vault.commit({ 'a.md': 'A' });
    await appendFile(path.join(vault.folder, '.git/config'), writeHostileConfig(program, evil));
    const id = (await vault.repository.headFiles()).get('a.md')!;
    await writeFile(path.join(vault.folder, '.git/annals-committing'), '');
    const object = path.join(vault.folder, '.git/objects', id.slice(0, 2), id.slice(2));
    await chmod(object, 0o644);
    await writeFile(object, 'torn');
    await vault.reopen();
    expect(await readdir(evil)).toEqual(['program']);
  });
});
