/**
 * A path with each value as one segment of it. Throws TypeError for a value that would make another path of it: an
 * empty one would ask for the whole list.
 */
export function urlPath(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((path, part, index) => path + segment(values[index - 1]) + part);
}

function segment(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(`not an id: ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
}
