import type { Config } from '@annals/config';
import { EXTRACTION_FRAGMENTS } from '@annals/extraction';
import { GATEWAY_FRAGMENTS } from '@annals/gateway';
import { PERSISTENCE_FRAGMENTS } from '@annals/persistence';

export const STANDALONE_FRAGMENTS = [
  ...GATEWAY_FRAGMENTS,
  ...EXTRACTION_FRAGMENTS,
  ...PERSISTENCE_FRAGMENTS,
  'embedded',
  'relay',
  'logging',
  'telemetry',
  'metrics',
  'lifecycle',
] as const;
export type StandaloneConfig = Config<(typeof STANDALONE_FRAGMENTS)[number]>;
