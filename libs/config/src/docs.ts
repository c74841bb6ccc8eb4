import type { Fragment, Variables } from './fragment.js';
import { FRAGMENTS } from './fragments.js';
import type { Variable } from './variable.js';

/** Path from the root of the repository. */
export const CONFIGURATION_DOC = 'docs/configuration.md';

const INTRODUCTION = `# Configuration

<!-- Generated from libs/config: change the fragments there, then run \`pnpm --filter @annals/config run docs\`. -->

Everything is set by environment variables. A process reads the groups it needs when it starts; a wrong or missing value stops it
with exit code 78 and one sentence that names the variable and never shows its value. An empty variable counts as missing.`;

/** The text of docs/configuration.md. */
export function renderConfigurationDocs(): string {
  const sections = Object.values<Fragment<Variables, object>>(FRAGMENTS).map(renderFragment);
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

function renderFragment({ title, variables }: Fragment<Variables, object>): string {
  return [`## ${title}`, Object.values(variables).map(renderVariable).join('\n')].join('\n\n');
}

function renderVariable(variable: Variable<unknown>): string {
  const unit = variable.unit ? ` (${variable.unit})` : '';
  return [
    `- \`${variable.name}\`: ${variable.description}`,
    `  Takes ${variable.expects}${unit}. ${renderAbsence(variable)}${variable.secret ? ' Secret.' : ''}`,
  ].join('\n');
}

function renderAbsence({ default: defaultText, whenMissing }: Variable<unknown>): string {
  if (defaultText !== undefined) return `Default: \`${defaultText}\`.`;
  return whenMissing === undefined ? '**Required.**' : `Without it: ${whenMissing}.`;
}
