import { SECRETS, type Secrets } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { computeContentHmac } from './redact-messages.js';

/** What identifies the words of a message as they came in, without telling them. */
@Injectable()
export class MessageKeys {
  private readonly secrets: readonly KeyObject[];

  constructor(@Inject(SECRETS) { messageHmac, accepted }: Secrets) {
    this.secrets = [messageHmac, ...accepted.map((each) => each.messageHmac)].map((key) => createSecretKey(key));
  }

  /** In hex: under the present key, then under former ones, as stored messages may have it. */
  keysOf(tenantId: string, content: string): string[] {
    return this.secrets.map((secret) => computeContentHmac(secret, { tenantId }, content).toString('hex'));
  }
}
