import { readFileSync, writeFileSync } from 'node:fs';
import { LAYERS_DOC, updateLayers } from './docs.mjs';

const page = new URL(`../../${LAYERS_DOC}`, import.meta.url);
writeFileSync(page, updateLayers(readFileSync(page, 'utf8')));
