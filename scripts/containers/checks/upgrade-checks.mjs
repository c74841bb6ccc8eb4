import { expect } from '../checklist.mjs';
import { buildImages } from '../images.mjs';
import { OWN_SERVICES, serviceOf } from '../stack/stack.mjs';
import { startPosts } from './memory-checks.mjs';

const VERSION = 'test-next';
/** While a service is replaced; a gateway's clients repeat theirs until the next one answers. */
const POSTS_EACH = 5;

/**
 * The way of docs/operating.md: new images, the migration, then one service after the other, under posts. The new ones
 * send traces, for which an image runs modules and not bundles.
 */
export async function checkUpgrade({ check, must }, stack) {
  await must('the images of a next version are built', () =>
    buildImages(stack, { ANNALS_VERSION: VERSION, ANNALS_REVISION: 'next' }),
  );
  const posts = await startPosts(stack, 'upgraded');
  await must('the migration of the next version runs beside the services of this one', () => {
    stack.set({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318' });
    const { status, output } = stack.runOnce('migrate', ['libs/storage/dist/cli/migrate.js']);
    expect(status === 0, output);
    return output
      .trim()
      .split('\n')
      .find((line) => /schema|Applied/.test(line));
  });
  for (const service of OWN_SERVICES) {
    await check(`${service} is replaced by its next version, which sends traces`, async () => {
      const scale = service === 'extraction' ? ['--scale', 'extraction=3'] : [];
      const posted = await posts.until(POSTS_EACH, () => stack.up([service], ['--no-deps', ...scale]));
      for (const container of stack.inspect(service)) {
        expect(container.Config.Image.endsWith(VERSION), `${serviceOf(container)} runs ${container.Config.Image}.`);
        const [process] = stack.engine.docker(['top', container.Id, '-eo', 'pid,args']).trim().split('\n').slice(1);
        expect(process.includes('observability/dist/otel.js'), `It runs ${process}.`);
      }
      return `${posted} posts acknowledged meanwhile`;
    });
  }
  await check('nothing was lost or doubled by the upgrade', () => posts.stopAndVerify());
}
