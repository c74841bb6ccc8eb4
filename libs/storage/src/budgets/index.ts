export { readBudgetLimits, readBudgetOverrides, setDeploymentBudget, setTenantBudget } from './budget-limits.js';
export type { BudgetOverrides, SharedBudget } from './budget-limits.js';
export { fireBudgetAlert, type BudgetAlert } from './fire-budget-alert.js';
export { readDeploymentBudgetUsage, readTenantBudgetUsage, type BudgetUsage } from './budget-usage.js';
