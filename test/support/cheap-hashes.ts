import { Passwords } from '../../src/modules/users/password';
import { SystemEntropy } from '../../src/platform/clock/system-entropy';

/** The parameters stay with each hash, so a service of the full cost reads the hash as well. */
const CHEAP = { log2N: 4, r: 8, p: 1 };

const { hash, matchNone } = Passwords.prototype;
const cheap = new Passwords(new SystemEntropy(), CHEAP);

// The next test file of the worker has the same class. A benchmark uses the same stages, and ends with its process.
if ('afterAll' in globalThis) afterAll(() => void Object.assign(Passwords.prototype, { hash, matchNone }));

/**
 * From here on this test file hashes passwords in no time. A real hash takes half a second, and the passwords of most
 * tests protect nothing.
 */
export function hashCheaply(): void {
  Passwords.prototype.hash = (password, ip) => hash.call(cheap, password, ip);
  Passwords.prototype.matchNone = (password, ip) => matchNone.call(cheap, password, ip);
}
