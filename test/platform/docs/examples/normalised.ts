const EXAMPLE_ID = '01kb3x5q0g7h2m9c4r8v6t1z';
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /\b([a-z]{2,5})_[0-9a-hjkmnp-tv-z]{26}\b/g;
/** Secrets of every kind; the last four characters of a key stand in other places too. */
const SECRET = /\b([sr]k_test_|pk_test_|whsec_|mfap_)([0-9A-Za-z+/=_-]+)([0-9A-Za-z+/=_-]{4})/g;

/**
 * A value whose ids count up in the order in which they stand, and whose secrets are crossed out. The same id is the
 * same everywhere.
 */
export class Normalised {
  private readonly ids = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  value<T>(value: T): T {
    const text = JSON.stringify(value)
      .replace(SECRET, (_, kind: string, inner: string, end: string) => `${kind}${'x'.repeat(inner.length)}${end}`)
      .replace(ID, (id, prefix: string) => this.idOf(id, prefix));
    return JSON.parse(text) as T;
  }

  private idOf(id: string, prefix: string): string {
    const known = this.ids.get(id);
    if (known !== undefined) return known;
    const count = this.counts.get(prefix) ?? 0;
    this.counts.set(prefix, count + 1);
    const [high, low] = [Math.floor(count / DIGITS.length), count % DIGITS.length];
    const given = `${prefix}_${EXAMPLE_ID}${DIGITS[high]}${DIGITS[low]}`;
    this.ids.set(id, given);
    return given;
  }
}
