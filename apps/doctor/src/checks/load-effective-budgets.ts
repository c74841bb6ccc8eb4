import type { Config } from '@annals/config';
import { Database, NO_TENANT, readBudgetLimits } from '@annals/storage';
import { type Finding, formatUsd, ok } from '../report.js';

type Budgets = Config<'budgets'>['budgets'];

/** The budgets in effect: limits that an operator set at runtime override the configured ones. */
export async function loadEffectiveBudgets(
  url: string,
  configured: Budgets,
): Promise<{ readonly budgets: Budgets; readonly findings: readonly Finding[] }> {
  const database = await Database.open({ url, role: 'annals_app', poolSize: 1, applicationName: 'annals-doctor' });
  try {
    const { deployment, providers } = await readBudgetLimits(database, NO_TENANT);
    if (deployment === null && providers.size === 0) return { budgets: configured, findings: [] };
    const budgets = {
      ...configured,
      deploymentMicroUsd: deployment === null ? configured.deploymentMicroUsd : toLimit(deployment),
      providersMicroUsd: {
        ...configured.providersMicroUsd,
        ...Object.fromEntries([...providers].map(([provider, limit]) => [provider, toLimit(limit)])),
      },
    };
    return { budgets, findings: [describeOverrides(deployment, providers)] };
  } finally {
    await database.close();
  }
}

function describeOverrides(deployment: number | null, providers: ReadonlyMap<string, number>): Finding {
  const named = [...(deployment === null ? [] : [['all models', deployment] as const]), ...providers];
  const list = named.map(([name, limit]) => `${name} ${limit > 0 ? formatUsd(limit) : 'no limit'}`).join(', ');
  return ok('budgets.running', `Budgets set at runtime override the configured ones: ${list} per day.`);
}

/** A limit of zero or less is not enforced (docs/reference/budgets.md#a-limit-of-zero-disables-a-budget). */
function toLimit(microUsd: number): number | null {
  return microUsd > 0 ? microUsd : null;
}
