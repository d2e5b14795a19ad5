/** Unicode characters, as JSON Schema counts them: what the contract's limits on texts are in. */
export function characterCount(text: string): number {
  return [...text].length;
}
