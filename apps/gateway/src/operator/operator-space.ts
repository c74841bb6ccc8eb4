import { NO_TENANT } from '@annals/storage';

/** Where answers to operators are kept for repetitions. */
export const OPERATOR_SPACE = NO_TENANT;
