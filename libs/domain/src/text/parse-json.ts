/** The value of a text, or null for what is no JSON, for schemas to judge. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
