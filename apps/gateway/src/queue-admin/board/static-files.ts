import { readFile } from 'node:fs/promises';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
/** Segments of letters, digits, `_`, `-` and single dots: none of them leads out of the folder. */
const FILE = /^(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)+$/;

export interface StaticFile {
  readonly content: Buffer;
  readonly type: string;
}

/** A file below a folder, by its path there; null when there is none that may be served. */
export async function readStaticFile(folder: string, name: string): Promise<StaticFile | null> {
  const type = TYPES[path.extname(name)];
  if (type === undefined || !FILE.test(name)) return null;
  try {
    return { content: await readFile(path.join(folder, name)), type };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
