import { type PersonalIdPolicy, ProblemError } from '@annals/contracts';
import { hashId, type RedactionOptions, redactText } from '@annals/domain';
import type { KeyObject } from 'node:crypto';

/** Types of personal data that make an id personal. Not secrets: a random id looks like one. */
const PERSONAL_TYPES = ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'NATIONAL_ID', 'IP'] as const;

export interface RedactorSettings {
  readonly defaultCountry: NonNullable<RedactionOptions['defaultCountry']>;
  readonly personalIds: PersonalIdPolicy;
  /** Makes the pseudonyms of the tenant. Throws when it has no usable key. Undefined: placeholders carry none. */
  readonly pseudonymOf: RedactionOptions['pseudonymOf'];
  /** Key of the tenant's pseudonyms; null when there is no usable one. */
  readonly key: KeyObject | null;
  /** Identifies `key`; null without one. */
  readonly keyFingerprint: string | null;
}

/** Otherwise what is stored could no longer be asked for and deleted by its value, and nobody would notice. */
export function refuseWithoutKey(): never {
  throw new ProblemError(
    'unavailable',
    'The operator has to set ANNALS_PSEUDONYM_KEY: stored placeholders of this tenant were made with another key.',
  );
}

/** Redacts what a request of one tenant brings (docs/reference/privacy.md#redaction-before-storage). */
export class Redactor {
  /** For `redactText`. */
  readonly options: RedactionOptions;

  constructor(private readonly settings: RedactorSettings) {
    const { defaultCountry, pseudonymOf } = settings;
    this.options = { defaultCountry, ...(pseudonymOf ? { pseudonymOf } : {}) };
  }

  /** A query, a manual memory or a name (docs/reference/privacy.md#queries-and-manual-memories-are-redacted). */
  redact(text: string): string {
    return redactText(text, this.options).text;
  }

  get personalIds(): PersonalIdPolicy {
    return this.settings.personalIds;
  }

  /** Whether an id names a person to everybody who reads it: an e-mail address, a phone number and the like. */
  isPersonalId(id: string): boolean {
    const { counts } = redactText(id, { defaultCountry: this.settings.defaultCountry });
    return PERSONAL_TYPES.some((type) => counts[type] > 0);
  }

  /** Equal for redactors that store the same ids in the same form. */
  get idPolicy(): string {
    const { defaultCountry, personalIds, keyFingerprint } = this.settings;
    return [personalIds, defaultCountry, keyFingerprint].join(' ');
  }

  get canHash(): boolean {
    return this.settings.key !== null;
  }

  /** Throws when the tenant has no usable key. */
  hashId(id: string): string {
    return hashId(this.settings.key ?? refuseWithoutKey(), id);
  }
}
