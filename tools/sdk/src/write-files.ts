import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GENERATED_FOLDER, renderFiles } from './generated-files.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const files = await renderFiles();
rmSync(path.join(root, GENERATED_FOLDER), { recursive: true, force: true });
for (const [file, text] of Object.entries(files)) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
