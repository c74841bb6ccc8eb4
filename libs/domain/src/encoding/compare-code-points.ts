/**
 * Orders two strings by Unicode code point, the same under every locale. (`<` compares UTF-16 units and puts
 * U+1F600 before U+FF01.) Returns a negative number, 0 or a positive number.
 */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rankUnit(a) - rankUnit(b);
  }
  return left.length - right.length;
}

// Surrogates represent code points above every other unit, so they are ranked after U+E000..U+FFFF.
function rankUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
