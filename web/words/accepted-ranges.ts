/** More than browsers send; the rest is not looked at. */
const LOOKED_AT = 512;
const BLANKS = /[ \t]/g;
/** A range with its quality, such as `de-at;q=0.8`. */
const RANGE = /^([a-z0-9-]+)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** The ranges of an Accept header in lower case, the best first, without those that it refuses. */
export function acceptedRanges(header: string = ''): readonly string[] {
  const ranges = header.slice(0, LOOKED_AT).toLowerCase().replaceAll(BLANKS, '').split(',');
  // A range that was cut in two would have another name or another quality.
  if (header.length > LOOKED_AT) ranges.pop();
  return ranges
    .map(range => RANGE.exec(range))
    .map(match => ({ name: match?.[1] ?? '', quality: Number(match?.[2] ?? 1) }))
    .filter(({ name, quality }) => name !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ name }) => name);
}
