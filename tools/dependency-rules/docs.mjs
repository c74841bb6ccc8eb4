import { LAYERS } from './layers.mjs';

/** Path from the root of the repository. */
export const LAYERS_DOC = 'docs/architecture.md';

const GENERATED = /(?<=<!-- layers[^\n]*-->\n)[^]*(?=<!-- \/layers -->)/;

/**
 * The page with its table of layers up to date.
 * @param {string} page text of LAYERS_DOC
 */
export function updateLayers(page) {
  return page.replace(GENERATED, `\n${renderTable()}\n\n`);
}

/** Packages that may import the same share a row. */
function renderTable() {
  const packages = Map.groupBy(Object.keys(LAYERS), (folder) => LAYERS[folder].join(', '));
  const rows = [...packages].map(([mayImport, folders]) => [
    folders.map((folder) => `\`${folder}\``).join(', '),
    mayImport || 'nothing of this repository',
  ]);
  const table = [['Package', 'May import'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column].length)));
  const [head, ...lines] = table.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines].join('\n');
}
