import { writeFileSync } from 'node:fs';
import { KEY_BINDINGS_DOC, renderKeyBindingsDocs } from './access/docs.js';

writeFileSync(new URL(`../../../${KEY_BINDINGS_DOC}`, import.meta.url), renderKeyBindingsDocs());
