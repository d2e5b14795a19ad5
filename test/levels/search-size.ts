const SEARCHES = ['small', 'full'] as const;
type Search = (typeof SEARCHES)[number];

/**
 * The size of a search: its own variable says so, or else SEARCH, which is `small` by default. Throws RangeError where
 * either variable holds no size.
 */
export function searchSize(
  variable: string,
  sizes: Readonly<Record<Search, number>>,
  env: NodeJS.ProcessEnv = process.env,
): number {
  const own = env[variable];
  if (own !== undefined) {
    if (!/^[1-9]\d*$/.test(own)) throw new RangeError(`${variable} is a number from 1 on, not "${own}"`);
    return Number(own);
  }
  const search = SEARCHES.find(each => each === (env.SEARCH ?? 'small'));
  if (search === undefined) throw new RangeError(`SEARCH is small or full, not "${env.SEARCH}"`);
  return sizes[search];
}
