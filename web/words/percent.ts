const PERCENT = /^(\d{1,3})(?:[.,](\d{1,2}))?$/;

/** Basis points of a percentage as people type it, such as `0.5` or `12,25`; null for any other text. */
export function bpsOfPercent(text: string): number | null {
  const [, whole, part = ''] = PERCENT.exec(text.trim().replace(/ ?%$/, '')) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** Basis points as a percentage without a sign: 50 is `0.5`. */
export function percentOfBps(bps: number): string {
  return String(bps / 100);
}
