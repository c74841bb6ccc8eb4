import { NO_TENANT } from '@annals/storage';

/** Where answers to operators are stored for repetitions. */
export const OPERATOR_NAMESPACE = NO_TENANT;
