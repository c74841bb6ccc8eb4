import { SetMetadata } from '@nestjs/common';

/** Metadata key of routes that need no API key. */
export const PUBLIC_ROUTE = 'annals:public-route';

/** Marks a controller or handler that needs no API key; the guard of the gateway admits it without one. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);
