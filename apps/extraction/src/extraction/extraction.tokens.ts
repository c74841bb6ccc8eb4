/** The providers for extraction: the primary, then its fallbacks. */
export const MODEL_CHAIN = Symbol('ModelChain');

/** The current category configuration. */
export const CATEGORIES = Symbol('Categories');
