export { readBudgetLimits, readBudgetOverrides, setDeploymentBudget, setTenantBudget } from './budget-limits.js';
export type { BudgetOverrides, SharedBudget } from './budget-limits.js';
export { fireBudgetAlert, type BudgetAlert } from './fire-budget-alert.js';
export { readDeploymentStanding, readTenantStanding, type BudgetStanding } from './budget-standing.js';
