import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { openInput } from './open-input.js';
import { readItems } from './read-json.js';

/** Where the flags of an entry are in its header of the directory, and its method behind them. */
const FLAGS = 8;
const DIRECTORY = Buffer.from('PK\u0001\u0002', 'latin1');

describe('an archive', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'annals-zip-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function zipOf(content: string, damage: (bytes: Buffer) => void = () => undefined): Promise<string> {
    const file = path.join(mkdtempSync(path.join(folder, 'zip-')), 'export.zip');
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(content), 'xx/conversations.json');
    zip.end();
    await finished(zip.outputStream.pipe(createWriteStream(file)));
    const bytes = readFileSync(file);
    damage(bytes);
    writeFileSync(file, bytes);
    return file;
  }

  async function read(file: string): Promise<number> {
    let count = 0;
    for await (const _item of readItems(await openInput(file), null)) count += 1;
    return count;
  }

  const long = JSON.stringify(
    Array.from({ length: 30_000 }, (_, index) => ({ index, text: `${(index * 7919) % 10_007}` })),
  );

  it('is read item by item', async () => {
    expect(await read(await zipOf(long))).toBe(30_000);
  });

  it.each([
    ['at its beginning', 60],
    ['further in', 5_000],
  ])('with damaged data is refused in words: %s', async (_where, at) => {
    const file = await zipOf(long, (bytes) => bytes.fill(0xff, at, at + 300));
    await expect(read(file)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/export\.zip is no complete archive \(.+\): download the export again\.$/),
    });
  });

  it('with damaged data that can be unpacked is refused for what comes out', async () => {
    const file = await zipOf(long, (bytes) => bytes.fill(0xff, 110_000, 110_300));
    await expect(read(file)).rejects.toMatchObject({ name: 'Failure', exitCode: 2 });
  });

  it('with a path that leaves it is refused in words', async () => {
    const file = await zipOf('[]', (bytes) => {
      for (let at = bytes.indexOf('xx/'); at >= 0; at = bytes.indexOf('xx/')) bytes.write('../', at);
    });
    await expect(read(file)).rejects.toThrow('is no complete archive (invalid relative path: ../conversations.json)');
  });

  it('that is encrypted is refused in words', async () => {
    const file = await zipOf('[]', (bytes) => {
      bytes[bytes.indexOf(DIRECTORY) + FLAGS]! |= 1;
    });
    await expect(read(file)).rejects.toThrow('is encrypted: unpack it, and give the conversations.json that it has.');
  });

  it('that was cut off is refused in words', async () => {
    const file = await zipOf('[]');
    writeFileSync(file, readFileSync(file).subarray(0, -30));
    await expect(read(file)).rejects.toThrow('is no complete archive');
  });
});
