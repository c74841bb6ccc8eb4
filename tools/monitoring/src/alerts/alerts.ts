import { apiAlerts } from './api-alerts.ts';
import { mindAlerts } from './mind-alerts.ts';
import { modelAlerts } from './model-alerts.ts';
import { qualityAlerts } from './quality-alerts.ts';
import { storeAlerts } from './store-alerts.ts';
import { vaultAlerts } from './vault-alerts.ts';
import { webhookAlerts } from './webhook-alerts.ts';
import { workAlerts } from './work-alerts.ts';

/** All alerts, by the group of rules that they are in. */
export const ALERT_GROUPS = {
  api: { title: 'API and processes', alerts: apiAlerts },
  work: { title: 'Work', alerts: workAlerts },
  models: { title: 'Language models and money', alerts: modelAlerts },
  minds: { title: 'Minds', alerts: mindAlerts },
  quality: { title: 'Memory quality', alerts: qualityAlerts },
  webhooks: { title: 'Webhooks', alerts: webhookAlerts },
  vault: { title: 'Vault', alerts: vaultAlerts },
  stores: { title: 'Stores and maintenance', alerts: storeAlerts },
} as const;

type Groups = typeof ALERT_GROUPS;
export type AlertName = { [Group in keyof Groups]: keyof Groups[Group]['alerts'] }[keyof Groups];
