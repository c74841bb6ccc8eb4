import { createHmac } from 'node:crypto';

/** What the secret of an endpoint is derived from, besides a key of the installation. */
export interface WebhookSecretSource {
  readonly tenantId: string;
  readonly webhookKey: string;
  /** Random, new with every rotation. */
  readonly salt: string;
}

/** The secret of an endpoint, 32 bytes; who has the database without the key cannot tell it. */
export function deriveWebhookSecret(key: Uint8Array, { tenantId, webhookKey, salt }: WebhookSecretSource): Buffer {
  return createHmac('sha256', key).update(`${tenantId}\n${webhookKey}\n${salt}`).digest();
}

/** As clients are given it, and as libraries of Standard Webhooks take it. */
export function formatWebhookSecret(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

export interface SignedMessage {
  /** The same in every attempt. */
  readonly id: string;
  /** Of the attempt, in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The header `webhook-signature` of Standard Webhooks: one signature for each secret, so that a receiver that has any of
 * them accepts the message.
 */
export function signWebhook({ id, timestamp, body }: SignedMessage, secrets: readonly Uint8Array[]): string {
  return secrets
    .map((secret) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');
}
