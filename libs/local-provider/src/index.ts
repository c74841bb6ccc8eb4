export { compactLocally } from './app-memories/compact-app-memories.js';
export { createLocalAppMemory, type LocalAppMemory } from './app-memories/create-app-memory.js';
export { findLocalInsights, type LocalInsight } from './insights/find-local-insights.js';
export { LOCAL_RULES, LocalProvider } from './local-provider.js';
export { isSupportedStep } from './procedures/check-step.js';
export { findWorkflows, MIN_WORK_STEPS, type Workflow, type WorkMessage } from './procedures/find-workflows.js';
export { isWorkInstruction } from './procedures/to-instruction.js';
export { type ExtractiveInput, SUMMARY_RULES, summarizeMessages } from './summaries/summarize-messages.js';
