import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderFiles } from './generated-files.ts';

const root = path.resolve(import.meta.dirname, '../../..');
for (const [file, text] of Object.entries(renderFiles())) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
