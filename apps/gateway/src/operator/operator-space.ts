/** Where answers to operators are kept for repetitions: a space that no tenant has. */
export const OPERATOR_SPACE = '00000000-0000-0000-0000-000000000000';
