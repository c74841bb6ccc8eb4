const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** ES DNI (8 digits and a letter) or NIE (X, Y or Z, 7 digits and a letter): letter = number mod 23. */
export function isSpanishId(id: string): boolean {
  const number = Number(id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))));
  return /^(?:\d{8}|[XYZ]\d{7})[A-Z]$/.test(id) && DNI_LETTERS[number % 23] === id.at(-1);
}

/** UK NINO: no checksum; letters and prefixes that HMRC never issued are rejected. */
export function isBritishNino(id: string): boolean {
  return /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(id);
}

const FISCALE = /^[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]$/;
// Values of 0-9 and A-Z at odd positions (D.M. 23/12/1976).
const FISCALE_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** IT codice fiscale with its check letter; digits may be replaced by letters (omocodia). */
export function isItalianFiscalCode(code: string): boolean {
  if (!FISCALE.test(code)) return false;
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const unit = code.charCodeAt(index);
    const value = unit < 65 ? unit - 48 : unit - 65;
    sum += index % 2 === 0 ? (FISCALE_ODD[value] ?? 0) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === code[15];
}
