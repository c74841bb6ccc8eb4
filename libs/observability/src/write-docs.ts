import { writeFileSync } from 'node:fs';
import { GENERATED_DOCS } from './docs.js';

for (const [path, render] of Object.entries(GENERATED_DOCS)) {
  writeFileSync(new URL(`../../../${path}`, import.meta.url), render());
}
