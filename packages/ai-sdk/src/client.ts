import type { Annals } from '@annals/sdk';

/** What a part of this package uses of the client: an `Annals`, or anything that has these routes. */
export type ClientWith<Routes extends keyof Annals> = Pick<Annals, Routes>;
