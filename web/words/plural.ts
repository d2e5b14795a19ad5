const COUNTS = new Intl.NumberFormat('en');

/** A number of things in English: `1 payment`, `1,204 payments`. */
export function plural(count: number, noun: string): string {
  return `${COUNTS.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
