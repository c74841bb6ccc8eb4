export { readBudgetLimits, setDeploymentBudget, setTenantBudget } from './budget-limits.js';
export type { BudgetOverrides, SharedBudget } from './budget-limits.js';
export { fireBudgetAlert, type BudgetAlert } from './fire-budget-alert.js';
