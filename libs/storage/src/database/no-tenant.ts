/** An id that no tenant has: in its name only what belongs to no tenant is seen. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000';
