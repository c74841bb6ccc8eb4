import { type RedactionOptions, redactText } from '@annals/domain';
import type { GatewayConfig } from '../config.js';

/**
 * The text of a query or of a manually written memory, without personal data and secrets
 * (docs/reference/privacy.md#queries-and-manual-memories-are-redacted).
 */
export function redactUserText(text: string, { redaction }: Pick<GatewayConfig, 'redaction'>): string {
  return redactText(text, {
    defaultCountry: redaction.defaultCountry as NonNullable<RedactionOptions['defaultCountry']>,
  }).text;
}
