import { createRequire } from 'node:module';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const require = createRequire(import.meta.url);

/** Encodings of a response that a browser may accept, the smallest first. */
const ENCODINGS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof ENCODINGS;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

export interface SiteFile {
  readonly content: Buffer;
  readonly type: string;
  readonly encoding: Encoding | null;
}

/** The files of the console, each read and compressed once: callers without a key must not cause work again and again. */
export class SiteFiles {
  private names: Promise<ReadonlySet<string>> | undefined;
  private readonly contents = new Map<string, Promise<Buffer>>();

  constructor(private readonly folder: string) {}

  /** By its path in the folder; `accepted`: the header Accept-Encoding. Null for a file that the build did not make. */
  async read(name: string, accepted: string): Promise<SiteFile | null> {
    this.names ??= listFiles(this.folder);
    const type = TYPES[path.extname(name)];
    if (type === undefined || !(await this.names).has(name)) return null;
    const encoding = chooseEncoding(accepted);
    const content = await this.encode(name, encoding).catch(whenMissing);
    return content && { content, type, encoding };
  }

  private encode(name: string, encoding: Encoding | null): Promise<Buffer> {
    const key = `${encoding ?? ''} ${name}`;
    let content = this.contents.get(key);
    if (!content) {
      content =
        encoding === null
          ? readFile(path.join(this.folder, name))
          : this.encode(name, null).then((plain) => ENCODINGS[encoding](plain));
      this.contents.set(key, content);
      content.catch(() => this.contents.delete(key));
    }
    return content;
  }
}

/** The console was built anew under a process that runs: its page names other files now. */
function whenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** The folder that `vite build` in apps/console writes, wherever this package is installed. */
export function findSite(): string {
  return path.dirname(require.resolve('@annals/console/dist/index.html'));
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/')),
  );
}

function chooseEncoding(accepted: string): Encoding | null {
  const named = accepted.split(',').map((part) => part.trim());
  const isAccepted = (encoding: string) =>
    named.some((part) => new RegExp(`^${encoding}(?:;q=(?!0(?:\\.0*)?$).*)?$`).test(part));
  return (Object.keys(ENCODINGS) as Encoding[]).find(isAccepted) ?? null;
}
