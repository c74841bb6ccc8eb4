import { mirrorOf } from './debian-mirror.mjs';

describe('mirrorOf', () => {
  it('parses one-line sources with options, and removes a slash at the end', () => {
    const sources = `# deb http://old.example/debian bookworm main
deb https://vendor.example/apt stable main
deb [arch=amd64 signed-by=/x.gpg] http://mirror.example/pub/debian/ bookworm main`;
    expect(mirrorOf(sources)).toBe('http://mirror.example/pub/debian');
  });

  it('parses deb822 sources, and ignores the security archive', () => {
    const sources = `Types: deb
# http://snapshot.example/archive/debian/1
URIs: http://mirror.example/debian-security
Suites: bookworm-security

Types: deb
URIs: http://mirror.example/debian`;
    expect(mirrorOf(sources)).toBe('http://mirror.example/debian');
  });

  it('returns undefined when all sources are of another system', () => {
    expect(mirrorOf('deb http://archive.example/ubuntu noble main universe')).toBeUndefined();
  });
});
