/** The models that extract: the primary, then its fallbacks. */
export const MODEL_CHAIN = Symbol('ModelChain');

/** The categories as they are configured now. */
export const CATEGORIES = Symbol('Categories');
