import type { Config } from '@annals/config';
import { CONSOLIDATION_WORKER_FRAGMENTS } from '@annals/consolidation-worker';
import { EXTRACTION_FRAGMENTS } from '@annals/extraction';
import { GATEWAY_FRAGMENTS } from '@annals/gateway';
import { PERSISTENCE_FRAGMENTS } from '@annals/persistence';
import { TOM_INSIGHT_FRAGMENTS } from '@annals/tom-insight';

export const STANDALONE_FRAGMENTS = [
  ...GATEWAY_FRAGMENTS,
  ...EXTRACTION_FRAGMENTS,
  ...PERSISTENCE_FRAGMENTS,
  ...TOM_INSIGHT_FRAGMENTS,
  ...CONSOLIDATION_WORKER_FRAGMENTS,
  'embedded',
  'relay',
  'logging',
  'telemetry',
  'metrics',
  'lifecycle',
] as const;
export type StandaloneConfig = Config<(typeof STANDALONE_FRAGMENTS)[number]>;
