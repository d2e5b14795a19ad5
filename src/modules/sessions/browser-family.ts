/** The first mark that a text has names the family: most browsers also name those that they descend from. */
const MARKS: readonly (readonly [mark: RegExp, family: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** The family of a browser by its User-Agent, as a page shows it. */
export function browserFamily(userAgent: string): string {
  return MARKS.find(([mark]) => mark.test(userAgent))?.[1] ?? 'other';
}
