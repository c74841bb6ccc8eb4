/**
 * The SBOM of an image from the one that pnpm makes of the lockfile: the packages that are in the image, no others, with
 * Node and the packages of Debian.
 * @param {object} sbom CycloneDX of all production dependencies
 * @param {{ packages: { name: string, version: string, license?: string }[], nodeVersion: string,
 *   debianPackages: { name: string, version: string, architecture: string }[] }} image
 * @throws when the image has a package that is no production dependency
 */
export function completeSbom(sbom, { packages, nodeVersion, debianPackages }) {
  const known = new Map(sbom.components.map((component) => [keyOf(component), component]));
  const unknown = packages.filter((entry) => !isOwn(entry) && !known.has(`${entry.name}@${entry.version}`));
  if (unknown.length > 0) {
    const names = unknown.map(({ name, version }) => `${name}@${version}`).join(', ');
    throw new Error(`The images would contain what is no production dependency of a service: ${names}.`);
  }
  const npm = unique(packages).map((entry) => known.get(`${entry.name}@${entry.version}`) ?? ownComponent(entry));
  const components = [...npm, nodeComponent(nodeVersion), ...debianPackages.map(debianComponent)];
  const references = new Set([sbom.metadata.component['bom-ref'], ...components.map((part) => part['bom-ref'])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) }));
  return { ...sbom, components, dependencies };
}

/** One line of `dpkg-query` for each package: name, version, architecture. */
export function parseDpkgList(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '))
    .map(([name, version, architecture]) => ({ name, version, architecture }));
}

function unique(packages) {
  return [...new Map(packages.map((entry) => [`${entry.name}@${entry.version}`, entry])).values()];
}

function keyOf({ group, name, version }) {
  return `${group ? `${group}/` : ''}${name}@${version}`;
}

function isOwn({ name }) {
  return name.startsWith('@annals/');
}

function ownComponent({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [group, short] = name.split('/');
  return {
    type: 'application',
    group,
    name: short,
    version,
    purl,
    'bom-ref': purl,
    licenses: [{ license: { id: license } }],
  };
}

function nodeComponent(version) {
  const purl = `pkg:generic/node@${version}`;
  const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`;
  return {
    type: 'platform',
    name: 'node',
    version,
    purl,
    cpe,
    'bom-ref': purl,
    licenses: [{ license: { id: 'MIT' } }],
  };
}

function debianComponent({ name, version, architecture }) {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { type: 'library', name, version, purl, 'bom-ref': purl };
}
