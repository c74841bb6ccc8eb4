import { SECRETS, type Secrets } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { computeContentHmac } from './redact-messages.js';

/** What identifies the words of a message as they came in, without telling them. */
@Injectable()
export class MessageKeys {
  readonly secret: KeyObject;
  /** Former and next keys. */
  readonly acceptedSecrets: readonly KeyObject[];

  constructor(@Inject(SECRETS) { messageHmac, accepted }: Secrets) {
    this.secret = createSecretKey(messageHmac);
    this.acceptedSecrets = accepted.map((each) => createSecretKey(each.messageHmac));
  }

  /** In hex: under the present key, then under the others, as stored messages may have it. */
  keysOf(tenantId: string, content: string): string[] {
    return [this.secret, ...this.acceptedSecrets].map((secret) =>
      computeContentHmac(secret, { tenantId }, content).toString('hex'),
    );
  }
}
