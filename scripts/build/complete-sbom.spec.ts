import { completeSbom, parseDpkgList } from './complete-sbom.mjs';

const component = (name: string, version: string) => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
  'bom-ref': `pkg:npm/${name}@${version}`,
});

const SBOM = {
  bomFormat: 'CycloneDX',
  metadata: { component: { 'bom-ref': 'pkg:npm/annals@0.1.0' } },
  components: [component('pg', '8.0.0'), component('pg-types', '2.0.0'), component('@electric-sql/pglite', '0.5.0')],
  dependencies: [
    { ref: 'pkg:npm/annals@0.1.0', dependsOn: ['pkg:npm/pg@8.0.0', 'pkg:npm/@electric-sql/pglite@0.5.0'] },
    { ref: 'pkg:npm/pg@8.0.0', dependsOn: ['pkg:npm/pg-types@2.0.0'] },
    { ref: 'pkg:npm/@electric-sql/pglite@0.5.0' },
  ],
};
const IMAGE = {
  packages: [
    { name: 'pg', version: '8.0.0' },
    { name: 'pg', version: '8.0.0' },
    { name: '@annals/gateway', version: '0.1.0', license: 'Apache-2.0' },
  ],
  nodeVersion: '24.21.0',
  debianPackages: parseDpkgList('libc6 2.41-12 amd64\nlibstdc++6 14.2.0-19 amd64\n'),
};

describe('the SBOM of an image', () => {
  it('lists each package that is in the image once, and no other', () => {
    const { components } = completeSbom(SBOM, IMAGE);
    expect(components.map(({ purl }: { purl: string }) => purl)).toEqual([
      'pkg:npm/pg@8.0.0',
      'pkg:npm/%40annals/gateway@0.1.0',
      'pkg:generic/node@24.21.0',
      'pkg:deb/debian/libc6@2.41-12?arch=amd64',
      'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64',
    ]);
  });

  it('keeps what depends on what, among the packages that are in the image', () => {
    expect(completeSbom(SBOM, IMAGE).dependencies).toEqual([
      { ref: 'pkg:npm/annals@0.1.0', dependsOn: ['pkg:npm/pg@8.0.0'] },
      { ref: 'pkg:npm/pg@8.0.0', dependsOn: [] },
    ]);
  });

  it('is refused when the image has a package that is no production dependency', () => {
    const packages = [...IMAGE.packages, { name: 'vitest', version: '5.1.1' }];
    expect(() => completeSbom(SBOM, { ...IMAGE, packages })).toThrow(
      'no production dependency of a service: vitest@5.1.1',
    );
  });
});
