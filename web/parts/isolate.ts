/** Marks that open or close a direction: inside of a text they could turn the sentence around it. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text with its own direction inside a sentence, such as an amount in Arabic. */
export function isolated(text: string): string {
  return `\u2068${text.replaceAll(DIRECTIONS, '')}\u2069`;
}
