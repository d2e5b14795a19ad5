import { readFile, stat } from 'node:fs/promises';
import { isIP, SocketAddress } from 'node:net';
import { Reader, type CountryResponse } from 'mmdb-lib';
import type { Countries } from '../kernel/ports/countries';
import { refuse } from '../vocabulary/errors';

const MAX_FILE_BYTES = 512 * 1_024 * 1_024;
const MAPPED = /^::ffff:/i;

/** The countries of a file in MaxMind's format, which is read once. */
export class CountryDatabase implements Countries {
  private constructor(private readonly reader: Reader<CountryResponse>) {}

  /** Throws Refusal invalid_config for a file that cannot be read. */
  static async open(path: string): Promise<CountryDatabase> {
    try {
      if ((await stat(path)).size > MAX_FILE_BYTES) throw new RangeError(`it has more than ${MAX_FILE_BYTES} bytes`);
      return CountryDatabase.of(await readFile(path));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw refuse('invalid_config', { message: `GEO_DATABASE: ${path} cannot be read: ${reason}`, cause });
    }
  }

  static of(bytes: Buffer): CountryDatabase {
    return new CountryDatabase(new Reader<CountryResponse>(bytes));
  }

  countryOf(address: string): string | null {
    const plain = unmapped(address);
    if (isIP(plain) === 0) return null;
    const found = this.reader.get(plain);
    return found?.country?.iso_code ?? found?.registered_country?.iso_code ?? null;
  }
}

/** An IPv4 address that is written within IPv6, in whatever spelling, as itself. */
function unmapped(address: string): string {
  const short = isIP(address) === 6 ? new SocketAddress({ address, family: 'ipv6' }).address : address;
  const plain = short.replace(MAPPED, '');
  return isIP(plain) === 4 ? plain : address;
}
