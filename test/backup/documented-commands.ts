import { readFileSync } from 'node:fs';
import path from 'node:path';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/backup.md'), 'utf8');

/** The commands that docs/backup.md shows in the block of this name, so that what is tested is what is documented. */
export function documentedCommands(name: string): string {
  const block = new RegExp(String.raw`^( *)\`\`\`bash ${name}\n([\s\S]*?)^ *\`\`\`$`, 'm').exec(PAGE);
  if (!block) throw new Error(`docs/backup.md has no block "bash ${name}".`);
  const [, indentation = '', text = ''] = block;
  return text.replaceAll(new RegExp(`^${indentation}`, 'gm'), '');
}
