import { ProblemError, type Webhook } from '@annals/contracts';
import { findWebhookKey, readWebhook, type Tx } from '@annals/storage';

export function noWebhook(): ProblemError {
  return new ProblemError('not_found', 'There is no webhook with this id.');
}

/** The key of a webhook that the path names. Throws `not_found`. */
export async function requireWebhookKey(tx: Tx, id: string): Promise<string> {
  const webhookKey = await findWebhookKey(tx, id);
  if (webhookKey === null) throw noWebhook();
  return webhookKey;
}

/** The webhook of an id. Throws `not_found`. */
export async function requireWebhook(tx: Tx, id: string, now: number): Promise<Webhook> {
  const webhook = await readWebhook(tx, id, now);
  if (!webhook) throw noWebhook();
  return webhook;
}
