/** What fits a token budget. */
export interface FittedItems<T> {
  readonly items: T[];
  /** Tokens of the texts that were kept. */
  readonly tokens: number;
}

/**
 * Keeps, in order of rank, every item whose text still fits into `budgetTokens`; one that is too long is passed over
 * and shorter ones behind it may follow. Take what the header uses off the budget first (decision 45).
 */
export function fitBudget<T extends { readonly text: string }>(
  items: readonly T[],
  budgetTokens: number,
  countTokens: (text: string) => number,
): FittedItems<T> {
  let tokens = 0;
  const kept = items.filter((item) => {
    const cost = countTokens(item.text);
    if (tokens + cost > budgetTokens) return false;
    tokens += cost;
    return true;
  });
  return { items: kept, tokens };
}
