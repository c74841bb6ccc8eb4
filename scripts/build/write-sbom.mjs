import { readFileSync, writeFileSync } from 'node:fs';
import { completeSbom, parseDpkgList } from './complete-sbom.mjs';
import { listInstalledPackages } from './installed-packages.mjs';

// `write-sbom.mjs <pnpm's SBOM> <runtime folder> <list of dpkg-query> <output>`: the software bill of materials of the
// images, in CycloneDX.
const [dependencies, folder, debianPackages, output] = process.argv.slice(2);
if (!output) throw new Error("Give pnpm's SBOM, the runtime folder, the list of Debian packages, and the output.");

const sbom = completeSbom(JSON.parse(readFileSync(dependencies, 'utf8')), {
  packages: listInstalledPackages(folder),
  nodeVersion: process.versions.node,
  debianPackages: parseDpkgList(readFileSync(debianPackages, 'utf8')),
});
writeFileSync(output, `${JSON.stringify(sbom, null, 1)}\n`);
