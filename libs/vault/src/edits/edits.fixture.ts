import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isConflictPath } from '@annals/domain';
import { loadVaultSubject, lockVaultUser, writeMemories } from '@annals/storage';
import { SETTINGS } from '../git/vault.fixture.js';
import { VaultRepository } from '../git/repository.js';
import { ProjectionFixture } from '../projection/projection.fixture.js';
import { VaultIndex } from '../projection/vault-index.js';
import { type VaultResult, type VaultRun, writeVault } from '../projection/write-vault.js';
import { type EditRun, type TakenEdits, takeEdits } from './take-edits.js';

export interface EditedRun {
  readonly edits: TakenEdits;
  readonly result: VaultResult;
}

/** A vault whose files are changed by people, and taken over as the worker does it. */
export class EditsFixture {
  private claims = 0;

  private constructor(readonly vault: ProjectionFixture) {}

  static async open(): Promise<EditsFixture> {
    return new EditsFixture(await ProjectionFixture.open());
  }

  /** Takes over edits and writes the files, as the worker does for a claim of its own. */
  async run(userId: string, changed: Partial<EditRun> & { write?: Partial<VaultRun> } = {}): Promise<EditedRun> {
    const { database, tenantId, clock } = this.vault;
    const subjectId = await this.vault.subjectOf(userId);
    const folder = await this.vault.folderOf(userId);
    const repository = await VaultRepository.open(folder, SETTINGS);
    this.claims += 1;
    const index = await VaultIndex.load(folder, subjectId, `claim of edits ${this.claims}`);
    const { signal } = new AbortController();
    const edits = await takeEdits({
      folder,
      userId,
      index,
      repository,
      clock,
      signal,
      settle: async () => {},
      loadRules: async () => ({ redact: (text) => text.replaceAll('secret', '[SECRET]'), adviseAgainst: () => null }),
      transact: (work) =>
        database.inTenant(tenantId, async (tx) => {
          expect(await lockVaultUser(tx, userId)).toBe(true);
          return work(tx);
        }),
      apply: async (tx, changes) => {
        const command = { userId, actor: 'vault', node: 'worker', changes, existingUserOnly: true };
        const written = await writeMemories(tx, command, this.vault.dependencies);
        if (written.outcome !== 'applied') throw new Error(`The write is ${written.outcome}.`);
        return written.results;
      },
      ...changed,
    });
    const subject = await database.readTenant(tenantId, (tx) => loadVaultSubject(tx, subjectId));
    if (subject?.type !== 'user') throw new Error('There is no such user.');
    const result = await writeVault({
      folder,
      userId,
      chain: subject.chain,
      forgottenAt: subject.forgottenAt,
      index,
      repository,
      openFormer: null,
      isFollowed: true,
      read: (work) => database.readTenant(tenantId, work),
      clock,
      signal,
      mayGoOn: () => true,
      ...changed.write,
    });
    return { edits, result };
  }

  async read(userId: string, path: string): Promise<string> {
    return readFile(join(await this.vault.folderOf(userId), path), 'utf8');
  }

  async put(userId: string, path: string, text: string): Promise<void> {
    const place = join(await this.vault.folderOf(userId), path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text);
  }

  /** Replaces words in a file, as an editor does. */
  async edit(userId: string, path: string, from: string | RegExp, to: string): Promise<void> {
    const text = await this.read(userId, path);
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    await this.put(userId, path, edited);
  }

  async move(userId: string, from: string, to: string): Promise<void> {
    const folder = await this.vault.folderOf(userId);
    await mkdir(dirname(join(folder, to)), { recursive: true });
    await rename(join(folder, from), join(folder, to));
  }

  async remove(userId: string, path: string): Promise<void> {
    await rm(join(await this.vault.folderOf(userId), path), { recursive: true });
  }

  memories(userId: string) {
    return this.vault.query<{
      id: string;
      content: string;
      state: string;
      category: string;
      importance: number;
      pinned: boolean;
      superseded_by: string | null;
      origin: string;
    }>('SELECT * FROM memories WHERE user_id = $1 ORDER BY recorded_at, id', [userId]);
  }

  /** What holds now. */
  async contents(userId: string): Promise<string[]> {
    const held = (await this.memories(userId)).filter((row) => row.state === 'active' && row.superseded_by === null);
    return held.map(({ content }) => content).toSorted();
  }

  /** Who made the last changes, the newest first. */
  async actors(userId: string): Promise<string[]> {
    const rows = await this.vault.query<{ actor: string; event: string }>(
      'SELECT actor, event FROM history WHERE user_id = $1 ORDER BY seq DESC',
      [userId],
    );
    return rows.map(({ actor, event }) => `${actor} ${event}`);
  }

  /** Texts that were kept beside files. */
  async conflicts(userId: string): Promise<string[]> {
    const found = await this.vault.found(userId);
    return [...found].flatMap(([path, text]) => (isConflictPath(path) ? [text] : []));
  }

  close(): Promise<void> {
    return this.vault.close();
  }
}
