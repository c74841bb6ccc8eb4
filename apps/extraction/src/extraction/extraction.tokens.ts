/** The models that extract: the primary, then its fallbacks. */
export const MODEL_CHAIN = Symbol('ModelChain');
