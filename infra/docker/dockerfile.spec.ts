import { readFileSync } from 'node:fs';
import path from 'node:path';
import { IMAGE_PROGRAMS, SHARED_PROGRAMS } from '../../scripts/build/programs.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

/** Target of the Dockerfile and the module it runs. */
const programs = [...dockerfile.matchAll(/^FROM runtime AS ([\w-]+)\n(?:.+\n)*?CMD \["(.+)"\]/gm)].map(
  ([, target, file]) => ({ target: target!, file: file! }),
);

describe('the Dockerfile', () => {
  it('needs no image beside the one of Node: a frontend of its own would have to be downloaded', () => {
    expect(dockerfile).not.toMatch(/^#\s*syntax\s*=/im);
    const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)].map(([, from, name]) => ({
      from: from!,
      name: name!,
    }));
    const outside = stages.filter(({ from }) => !stages.some(({ name }) => name === from)).map(({ from }) => from);
    expect(new Set(outside)).toEqual(new Set(['${NODE_IMAGE}', 'scratch']));
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-\S+$/m);
  });

  it('runs as a user by number, which is not root', () => {
    expect([...dockerfile.matchAll(/^USER (.+)$/gm)].map((match) => match[1])).toEqual(['1000:1000']);
  });

  it('labels every image', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    expect(dockerfile).toContain(`\nARG VERSION=${version}\n`);
    for (const label of ['licenses', 'version', 'revision', 'source'])
      expect(stageOf('runtime')).toContain(`org.opencontainers.image.${label}=`);
    for (const { target } of programs) {
      expect(stageOf(target)).toContain(`org.opencontainers.image.title="Annals ${target}"`);
      expect(stageOf(target)).toContain('org.opencontainers.image.description=');
    }
  });

  it('downloads only with the certificates of a private authority', () => {
    const downloads = [...dockerfile.matchAll(/^RUN (.*(?:npm install --global|pnpm fetch).*)$/gm)].map(
      (match) => match[1],
    );
    expect(downloads).toHaveLength(2);
    for (const command of downloads) expect(command).toMatch(/^--mount=type=secret,id=ca with-ca /);
    // Everything else is installed from what was downloaded.
    expect(dockerfile).toContain('pnpm install --frozen-lockfile --offline --ignore-scripts');
  });

  it('copies into an image what its programs load, its SBOM, and the bundle of its own program', () => {
    const copied = [...stageOf('runtime').matchAll(/^COPY (.+)$/gm)].map((match) => match[1]);
    expect(copied).toEqual([
      '--from=system / /',
      '--from=build /runtime ./',
      '--from=sbom /sbom.cdx.json ./',
      'infra/docker/entrypoint.sh infra/docker/healthcheck.mjs ./',
    ]);
    for (const { target, file } of programs) {
      const bundle = `${path.dirname(file)}/bundle`;
      expect(stageOf(target)).toContain(`COPY --from=build /app/${bundle} ${bundle}/\n`);
    }
  });

  it('gives Git to the image that writes the vault alone, with its SBOM', () => {
    for (const { target } of programs) {
      const own = [...stageOf(target).matchAll(/^COPY --from=(\S+)/gm)].map((match) => match[1]);
      const isWriter = target === 'consolidation-worker';
      expect({ target, own }).toEqual({ target, own: isWriter ? ['git', 'git', 'sbom-with-git', 'build'] : ['build'] });
    }
    // Nothing else of what apt installs with it: no Perl, no program that reaches a network.
    expect(stageOf('git')).toContain('cp /usr/bin/git /git/usr/bin/git');
    expect([...stageOf('git').matchAll(/\bcp /g)]).toHaveLength(1);
  });

  it('collects the programs that it runs', () => {
    expect(Object.entries(IMAGE_PROGRAMS)).toEqual(
      expect.arrayContaining(programs.map(({ target, file }) => [target, file])),
    );
    expect(programs).toHaveLength(Object.keys(IMAGE_PROGRAMS).length);
  });

  it('lists in its SBOM the dependencies of the programs that it runs', () => {
    const command = /^RUN pnpm sbom .*(?:\n {4}.*)*/m.exec(dockerfile)?.[0] ?? '';
    const apps = [...command.matchAll(/'@annals\/([\w-]+)\.\.\.'/g)].map((match) => match[1]);
    const run = [...Object.values(IMAGE_PROGRAMS), ...SHARED_PROGRAMS].map((file) => /^apps\/([^/]+)/.exec(file)?.[1]);
    expect(new Set(apps)).toEqual(new Set(run.filter(Boolean)));
  });

  it('has a target for the migration and for every service', () => {
    expect(programs.map(({ target }) => target).toSorted()).toEqual([
      'consolidation-worker',
      'extraction',
      'gateway',
      'migrate',
      'persistence',
      'tom-insight',
    ]);
  });

  it.each(programs)('runs a program as $target, not a module that only exports', ({ file }) => {
    const source = readFileSync(path.join(root, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')), 'utf8');
    expect(source).not.toMatch(/^export /m);
    expect(source).toMatch(/loadConfigOrExit/);
  });

  it.each(['extraction', 'persistence', 'tom-insight', 'consolidation-worker', 'gateway'])(
    'lets %s be reached from outside its container',
    (target) => {
      expect(stageOf(target)).toContain('ANNALS_HTTP_HOST=0.0.0.0');
    },
  );
});

function stageOf(name: string): string {
  return dockerfile.split(new RegExp(`^FROM \\S+ AS ${name}\n`, 'm'))[1]!.split('\nFROM ')[0]!;
}
