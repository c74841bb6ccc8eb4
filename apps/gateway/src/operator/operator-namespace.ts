import { NO_TENANT } from '@annals/storage';

/** The namespace in which idempotent responses to operators are stored. */
export const OPERATOR_NAMESPACE = NO_TENANT;
