/** Every entity of the schema. */
export const ENTITIES: never[] = [];
