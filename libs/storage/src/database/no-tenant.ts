/** An id that no tenant has: a transaction under it sees only rows that belong to no tenant. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000';
