import path from 'node:path';
import { expect } from '../checklist.mjs';
import { IMAGES, imageOf } from '../images.mjs';
import { compareSbom, parseStatus, readFacts } from './image-facts.mjs';

const MAX_BYTES = 250e6;
/** Layers that an image does not share: its bundle, and what writes the vault (Git, its SBOM, the folder). */
const OWN_LAYERS = { 'consolidation-worker': 4 };
const WRITER = 'consolidation-worker';

/** What an image must be, whatever it runs. */
export async function checkImages({ check }, stack, version) {
  const { engine } = stack;
  const images = Object.fromEntries(
    IMAGES.map((service) => [service, JSON.parse(engine.docker(['image', 'inspect', imageOf(service, version)]))[0]]),
  );
  for (const [service, image] of Object.entries(images)) {
    await check(`image ${service}: at most ${MAX_BYTES / 1e6} MB, numeric user, labels, one program`, () => {
      const facts = readFacts(image, { version, service });
      expect(facts.problems.length === 0, facts.problems.join('\n'));
      expect(image.Size <= MAX_BYTES, `It has ${(image.Size / 1e6).toFixed(1)} MB.`);
      return `${(image.Size / 1e6).toFixed(1)} MB`;
    });
  }
  await check('images share every layer but their own', () => {
    const shared = new Set(
      Object.entries(images).map(([service, { RootFS }]) =>
        RootFS.Layers.slice(0, -(OWN_LAYERS[service] ?? 1)).join(' '),
      ),
    );
    expect(shared.size === 1, 'They differ in more than their own layers.');
    return `${images.gateway.RootFS.Layers.length - 1} layers`;
  });
  for (const service of ['gateway', WRITER])
    await check(`SBOM of ${service}: lists exactly the packages in the image`, () => {
      const found = readInside(engine, imageOf(service, version));
      const { missing, surplus, total } = compareSbom(found);
      expect(missing.length === 0, `In the image, but not in the SBOM: ${missing.join(', ')}`);
      expect(surplus.length === 0, `In the SBOM, but not in the image: ${surplus.join(', ')}`);
      return `${total.npm} npm packages, ${total.debian} Debian packages, Node`;
    });
  await check(
    'Git runs in the image that writes the vault, as its user, on a read-only root; the others have none',
    () => {
      const script =
        'cd /var/lib/annals/vault && git init -q . && git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m a && git log --format=%s';
      const run = (service, ...args) =>
        engine.tryDocker([
          'run',
          '--rm',
          '--read-only',
          ...args,
          '--entrypoint',
          'sh',
          imageOf(service, version),
          '-c',
          script,
        ]);
      const written = run(WRITER, '--volume', '/var/lib/annals/vault');
      expect(written.status === 0 && written.output.trim() === 'a', written.output);
      const elsewhere = run('gateway', '--tmpfs', '/var/lib/annals/vault:mode=0777');
      expect(/git: not found/.test(elsewhere.output), elsewhere.output);
    },
  );
  await check('images contain no package manager, development tools or embedded database', () => {
    const script =
      'for name in npm pnpm npx yarn apt apt-get perl; do command -v $name; done; find / -xdev -name "*.d.ts" -print -quit; ls /app/node_modules/.pnpm';
    const { output } = engine.tryDocker([
      'run',
      '--rm',
      '--entrypoint',
      'sh',
      imageOf('gateway', version),
      '-c',
      script,
    ]);
    const found = output
      .split('\n')
      .filter((line) =>
        /^\/(?:usr\/)?(?:local\/)?bin\/|\.d\.ts$|^(?:@electric-sql|typescript|vitest|oxlint|prettier|@swc|rolldown)/.test(
          line,
        ),
      );
    expect(output.includes('fastify'), `The image could not be searched: ${output}`);
    expect(found.length === 0, found.join('\n'));
  });
}

/** What an image says of itself, and what is in it. */
function readInside(engine, image) {
  const tools = path.join(engine.repository, 'scripts/build');
  const script = `
    import { listInstalledPackages } from '/tools/installed-packages.mjs';
    import { readFileSync } from 'node:fs';
    const sbom = JSON.parse(readFileSync('/app/sbom.cdx.json', 'utf8'));
    console.log(JSON.stringify({ sbom, npm: listInstalledPackages('/app') }));`;
  const run = ['run', '--rm', '--volume', `${tools}:/tools:ro`, '--entrypoint'];
  const read = engine.docker([...run, 'node', image, '--input-type=module', '--eval', script]);
  const format = '${Package} ${Version}\\n';
  const debian = engine.docker(['run', '--rm', '--entrypoint', 'dpkg-query', image, '--show', '--showformat', format]);
  // As images without dpkg have it: a package that was not installed by it.
  const copied = engine.docker([
    'run',
    '--rm',
    '--entrypoint',
    'sh',
    image,
    '-c',
    'cat /var/lib/dpkg/status.d/* 2>/dev/null || :',
  ]);
  return { ...JSON.parse(read), debian: [...debian.trim().split('\n'), ...parseStatus(copied)] };
}
