export {
  addDryRun,
  type DryRunAnswer,
  type DryRunInput,
  endDryRun,
  finishDryRun,
  loadDryRun,
  purgeDryRuns,
  readDryRun,
} from './dry-runs.js';
export { planStatements, type TriedStatement } from './plan-statements.js';
export { selectNewMessages } from './select-new-messages.js';
