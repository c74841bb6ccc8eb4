import { registerSourceHooks } from './source-hooks.mjs';

/** jest's global setup, written in TypeScript beside the test databases it prepares. */
export default async function run(...args) {
  registerSourceHooks();
  const { default: setup } = await import('../../libs/testing/src/jest/global-setup.ts');
  await setup(...args);
}
