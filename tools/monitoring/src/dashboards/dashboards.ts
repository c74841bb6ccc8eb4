import type { Dashboard } from '../panel.ts';
import { memoryQuality } from './memory-quality.ts';
import { minds } from './minds.ts';
import { modelsAndMoney } from './models-and-money.ts';
import { overview } from './overview.ts';
import { pipeline } from './pipeline.ts';
import { recall } from './recall.ts';
import { storesAndProcesses } from './stores-and-processes.ts';
import { vault } from './vault.ts';
import { webhooks } from './webhooks.ts';

/** By the name of the file. */
export const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  overview,
  pipeline,
  'models-and-money': modelsAndMoney,
  recall,
  'memory-quality': memoryQuality,
  minds,
  webhooks,
  vault,
  'stores-and-processes': storesAndProcesses,
};
