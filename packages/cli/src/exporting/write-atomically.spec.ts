import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeAtomically } from './write-atomically.js';

describe('a file that is written as a whole', () => {
  let folder: string;
  const at = (name: string) => path.join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-out-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function* chunks(...texts: (string | Error)[]) {
    for (const text of texts) {
      if (text instanceof Error) throw text;
      yield text;
    }
  }

  it('replaces the one of its name, and touches no other', async () => {
    writeFileSync(at('ann.md'), 'before');
    writeFileSync(at('ann.md.part'), 'precious');
    await writeAtomically(at('ann.md'), chunks('a', 'b'));
    expect(readdirSync(folder)).toEqual(['ann.md', 'ann.md.part']);
    expect(readFileSync(at('ann.md'), 'utf8')).toBe('ab');
    expect(readFileSync(at('ann.md.part'), 'utf8')).toBe('precious');
  });

  it('is as it was before when it could not be written', async () => {
    writeFileSync(at('ann.md'), 'before');
    await expect(writeAtomically(at('ann.md'), chunks('a', new Error('cut off')))).rejects.toThrow('cut off');
    expect(readdirSync(folder)).toEqual(['ann.md']);
    expect(readFileSync(at('ann.md'), 'utf8')).toBe('before');
  });

  it('is where a link leads to, and the link stays', async () => {
    writeFileSync(at('ann.md'), 'before');
    symlinkSync(at('ann.md'), at('link'));
    await writeAtomically(at('link'), chunks('a'));
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('ann.md'), 'utf8')).toBe('a');
  });

  it('takes the place of nothing that is no file, such as a folder or device', async () => {
    const socket = createServer().listen(at('socket'));
    await once(socket, 'listening');
    for (const file of [folder, at('socket')]) {
      await expect(writeAtomically(file, chunks('a'))).rejects.toThrow(`${file} is no file: give another path`);
    }
    socket.close();
    await once(socket, 'close');
    await expect(writeAtomically(at('nowhere/ann.md'), chunks('a'))).rejects.toThrow('cannot be written (ENOENT)');
  });
});
