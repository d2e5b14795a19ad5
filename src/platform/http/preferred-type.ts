const HTML = ['text/html', 'text/*', '*/*'] as const;
const JSON_TYPE = ['application/json', 'application/*', '*/*'] as const;
/** More than browsers send; the rest is not looked at. */
const LOOKED_AT = 1_024;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Whether a client that sends this Accept header would rather have a page than JSON. A client that takes everything
 * alike is a program, and gets JSON.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const qualities = new Map((accept ?? '').slice(0, LOOKED_AT).toLowerCase().split(',').map(rangeOf));
  return qualityOf(HTML, qualities) > qualityOf(JSON_TYPE, qualities);
}

function rangeOf(text: string): readonly [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map(part => part.trim());
  const given = parameters.map(parameter => QUALITY.exec(parameter)?.[1]).find(quality => quality !== undefined);
  return [range, given === undefined ? 1 : Number(given)];
}

/** The most specific range decides. */
function qualityOf(ranges: readonly string[], qualities: ReadonlyMap<string, number>): number {
  const range = ranges.find(candidate => qualities.has(candidate));
  return range === undefined ? 0 : (qualities.get(range) as number);
}
