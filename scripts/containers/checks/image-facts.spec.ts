import { compareSbom, parseStatus, readFacts } from './image-facts.mjs';

const LABELS = {
  'org.opencontainers.image.title': 'Annals gateway',
  'org.opencontainers.image.description': 'REST API',
  'org.opencontainers.image.source': 'https://example.com',
  'org.opencontainers.image.version': '1.0.0',
  'org.opencontainers.image.revision': 'abc',
  'org.opencontainers.image.licenses': 'Apache-2.0',
};
const CONFIG = { User: '1000:1000', Labels: LABELS, Entrypoint: ['/app/entrypoint.sh'], Env: ['PATH=/bin'] };
const problemsOf = (config: object) =>
  readFacts({ Config: { ...CONFIG, ...config } }, { service: 'gateway', version: '1.0.0' }).problems;

describe('facts of an image', () => {
  it('are right for an image that is', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it.each(['node', '0:0', '1000', ''])('name the user "%s", which is root or may be', (User) => {
    expect(problemsOf({ User })).toEqual([`Its user is "${User}", not two numbers above 0.`]);
  });

  it('name a label that is missing or empty, and a version or title of something else', () => {
    expect(problemsOf({ Labels: { ...LABELS, 'org.opencontainers.image.source': '' } })).toEqual([
      'It has no label org.opencontainers.image.source.',
    ]);
    expect(problemsOf({ Labels: { ...LABELS, 'org.opencontainers.image.version': '2' } })).toEqual([
      'Its version is "2".',
    ]);
    expect(problemsOf({ Labels: { ...LABELS, 'org.opencontainers.image.title': 'Annals' } })).toEqual([
      'Its title is "Annals".',
    ]);
  });

  it('name a secret that is set in the image, without its value', () => {
    expect(problemsOf({ Env: ['ANNALS_SECRET_KEY=abc'] })).toEqual(['It sets ANNALS_SECRET_KEY.']);
  });
});

describe('comparison of an SBOM with its image', () => {
  const found = {
    npm: [{ name: '@annals/gateway', version: '0.1.0' }],
    debian: ['libstdc++6 14.2.0-19'],
    sbom: {
      components: [
        { purl: 'pkg:npm/%40annals/gateway@0.1.0' },
        { purl: 'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64' },
        { purl: 'pkg:generic/node@24.21.0' },
      ],
    },
  };

  it('finds nothing when both agree', () => {
    expect(compareSbom(found)).toEqual({ missing: [], surplus: [], total: { npm: 1, debian: 1 } });
  });

  it('finds a package that is not listed, and one that is listed without being there', () => {
    const npm = [{ name: 'pg', version: '8.0.0' }];
    expect(compareSbom({ ...found, npm })).toMatchObject({
      missing: ['pkg:npm/pg@8.0.0'],
      surplus: ['pkg:npm/%40annals/gateway@0.1.0'],
    });
  });
});

describe('a status file of dpkg', () => {
  it('names packages and versions, and nothing else of them', () => {
    const text = 'Package: git\nStatus: install ok installed\nVersion: 1:2.47.3-0+deb13u1\nDepends: libc6 (>= 2.38)\n';
    expect(parseStatus(text)).toEqual(['git 1:2.47.3-0+deb13u1']);
    expect(parseStatus('')).toEqual([]);
  });
});
