import type { Config } from '@annals/config';
import type { MindFactory } from '@annals/runtime';
import { createInsightsStage } from './insights-stage.js';

/** The mind that infers insights. */
export const INSIGHTS: MindFactory = {
  kind: 'insights',
  create({ infrastructure, caller, config, leaseMs }) {
    const { isOnByDefault } = (config as typeof config & Config<'insights'>).insights;
    return createInsightsStage({ ...infrastructure, caller }, { leaseMs, isOnByDefault });
  },
};
