import type { Config } from '@annals/config';
import type { MindKind } from '@annals/contracts';
import type { LLMProvider } from '@annals/llm-core';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, INFRASTRUCTURE } from '../infrastructure/infrastructure.module.js';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { ConcurrencySlots } from '../leased-job/concurrency-slots.js';
import { readEnergyLimits } from './collect-energy-gauge.js';
import { createMindCaller, type MindCaller } from './mind-caller.js';
import type { MindStage } from './mind-stage.js';
import { createMindWorker } from './mind-worker.js';

type MindsConfig = Config<'workers' | 'llm' | 'minds'>;

/** What the stage of a mind is made from. */
export interface MindContext {
  readonly infrastructure: Infrastructure;
  /** Null: no model is configured, and the mind works by rules. */
  readonly caller: MindCaller | null;
  /** All of the service's configuration: cast to the fragments that its module lists. */
  readonly config: MindsConfig;
  readonly leaseMs: number;
}

/** A mind: its kind, and how its stage is made. */
export interface MindFactory {
  readonly kind: MindKind;
  readonly create: (context: MindContext) => MindStage;
}

/** The minds of a service. */
export const MINDS = Symbol('Minds');
/** The providers for extraction, of which minds call the remote ones. */
export const MIND_PROVIDERS = Symbol('MindProviders');

/** The queues of minds, which have workers unless minds are switched off. */
export function listMinds(minds: readonly MindFactory[], config: Config<'minds'>): readonly MindKind[] {
  return config.minds.isOn ? minds.map(({ kind }) => kind) : [];
}

/** Connects the queues of minds with their stages. */
@Injectable()
export class MindsProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(CONFIG) private readonly config: MindsConfig,
    @Inject(MINDS) private readonly minds: readonly MindFactory[],
    @Inject(MIND_PROVIDERS) private readonly providers: readonly LLMProvider[],
  ) {}

  onModuleInit(): void {
    const { infrastructure, config, providers } = this;
    if (!config.minds.isOn) return;
    const { timeoutMs, maxOutputTokens } = config.llm;
    const models = { providers, timeoutMs, maxOutputTokens, energy: readEnergyLimits(config) };
    const caller = createMindCaller(infrastructure, models);
    const { leaseMs } = config.workers;
    const slots = new ConcurrencySlots(1, { percent: config.minds.busyPercent, clock: infrastructure.clock });
    for (const { create } of this.minds) {
      const stage = create({ infrastructure, caller, config, leaseMs });
      infrastructure.workers.add(createMindWorker(infrastructure, stage, slots));
    }
  }
}
