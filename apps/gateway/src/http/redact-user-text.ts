import { type RedactionOptions, redactText } from '@annals/domain';
import type { GatewayConfig } from '../config.js';

/** A query or manual memory, redacted (docs/reference/privacy.md#queries-and-manual-memories-are-redacted). */
export function redactUserText(text: string, { redaction }: Pick<GatewayConfig, 'redaction'>): string {
  return redactText(text, {
    defaultCountry: redaction.defaultCountry as NonNullable<RedactionOptions['defaultCountry']>,
  }).text;
}
