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
