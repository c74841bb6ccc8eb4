import { registerSourceHooks } from './source-hooks.mjs';

/** jest's global teardown, written in TypeScript beside the test databases it stops. */
export default async function run(...args) {
  registerSourceHooks();
  const { default: teardown } = await import('../../libs/testing/src/jest/global-teardown.ts');
  await teardown(...args);
}
