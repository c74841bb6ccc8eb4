const VALID = {
  ANNALS_OPERATOR_KEY: 'The operator key of ANNALS_OPERATOR_KEY is valid.',
  ANNALS_BOOTSTRAP_KEY: 'The key of ANNALS_BOOTSTRAP_KEY is valid for the tenant "default".',
} as const;

/** The state of a configured key, as a sentence. */
export function describeKey(variable: keyof typeof VALID, isValid: boolean): string {
  return isValid
    ? VALID[variable]
    : `The key of ${variable} was revoked and remains revoked: set ${variable} to a new key.`;
}
