import { writeFileSync } from 'node:fs';
import { CONFIGURATION_DOC, renderConfigurationDocs } from './docs.js';

writeFileSync(new URL(`../../../${CONFIGURATION_DOC}`, import.meta.url), renderConfigurationDocs());
