/** Sum of each digit times its weight; digits beyond the weights do not count. */
export function sumWeighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

/** Remainder of a number written in decimal digits of any length. */
export function remainderOf(digits: string, modulus: number): number {
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % modulus;
  return remainder;
}
