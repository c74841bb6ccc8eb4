export { TOM_INSIGHT_FRAGMENTS, TomInsightModule, type TomInsightOptions } from './tom-insight.module.js';
