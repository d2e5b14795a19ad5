const LENGTH = 60;

/** The beginning of a text that may be long, for a cell of a table. */
export function shortened(text: string, length: number = LENGTH): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}
