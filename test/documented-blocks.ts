import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The block of a page of docs that is headed "```<language> <name>", so that what is tested is what is documented. */
export function documentedBlock(page: string, language: string, name: string): string {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs', page), 'utf8');
  const block = new RegExp(String.raw`^( *)\`\`\`${language} ${name}\n([\s\S]*?)^ *\`\`\`$`, 'm').exec(text);
  if (!block) throw new Error(`docs/${page} has no block "${language} ${name}".`);
  const [, indentation = '', content = ''] = block;
  return content.replaceAll(new RegExp(`^${indentation}`, 'gm'), '');
}
