/** The number of Unicode characters, as JSON Schema counts them: the contract limits texts by it. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** The text without every `character` that ends it. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Control characters, ends of lines, and signs that turn the direction of the text around a name. */
export const UNFIT_IN_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
