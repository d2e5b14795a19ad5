import { scryptSync } from 'node:crypto';
import { isRefusal } from '../../../src/vocabulary/errors';
import { checkPassword, MAX_PASSWORD_LENGTH, Passwords, PASSWORD_COST } from '../../../src/modules/users/password';
import { IdentityFixture } from '../merchants/identity-fixture';

const CHEAP = { log2N: 10, r: 8, p: 1 };
const PASSWORD = 'violet harbour 42';
const IP = '203.0.113.7';
const HALF_OF_QUEUE = 32;

function refusedParam(password: string): string | null {
  try {
    checkPassword(password);
  } catch (error) {
    if (isRefusal(error, 'parameter_invalid')) return error.param;
    throw error;
  }
  return null;
}

describe('passwords', () => {
  it('costs what is recommended, and keeps the parameters with the hash', async () => {
    const stored = await new Passwords(new IdentityFixture()).hash(PASSWORD, IP);
    expect(stored).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(PASSWORD_COST).toEqual({ log2N: 17, r: 8, p: 1 });
    expect(await new Passwords(new IdentityFixture(), CHEAP).matches(PASSWORD, stored, IP)).toBe(true);
  });

  it('is scrypt, as anybody else computes it', async () => {
    const stored = await new Passwords(new IdentityFixture(), CHEAP).hash(PASSWORD, IP);
    const [, , , salt = '', hash = ''] = stored.split('$');
    const expected = scryptSync(PASSWORD, Buffer.from(salt, 'base64url'), 32, { N: 1024, r: 8, p: 1 });
    expect(Buffer.from(hash, 'base64url')).toEqual(expected);
  });

  it('matches the one password, in whatever way its accents were typed', async () => {
    const passwords = new Passwords(new IdentityFixture(), CHEAP);
    const stored = await passwords.hash('caf\u00e9 au lait 7', IP);
    expect(await passwords.matches('cafe\u0301 au lait 7', stored, IP)).toBe(true);
    expect(await passwords.matches('cafe au lait 7', stored, IP)).toBe(false);
    expect(await passwords.matches('x'.repeat(MAX_PASSWORD_LENGTH + 1), stored, IP)).toBe(false);
  });

  it('salts: the same password has another hash each time', async () => {
    const passwords = new Passwords(new IdentityFixture(), CHEAP);
    expect(await passwords.hash(PASSWORD, IP)).not.toBe(await passwords.hash(PASSWORD, IP));
  });

  it('rejects a stored text that it never made', async () => {
    const passwords = new Passwords(new IdentityFixture(), CHEAP);
    await expect(passwords.matches(PASSWORD, 'plain', IP)).rejects.toThrow(RangeError);
  });

  it('turns a flood away and works on afterwards (ASVS 6.3.1)', async () => {
    const passwords = new Passwords(new IdentityFixture(), CHEAP);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => passwords.hash(PASSWORD, IP)));
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(20 - 18);
    expect(refused.every(({ reason }) => isRefusal(reason, 'rate_limit'))).toBe(true);
    await expect(passwords.hash(PASSWORD, IP)).resolves.toContain('$scrypt$');
  });

  it("is checked after one hash of each other network, whatever the others' floods", async () => {
    const passwords = new Passwords(new IdentityFixture(), CHEAP);
    const done: string[] = [];
    const hash = (ip: string) =>
      passwords.hash(PASSWORD, ip).then(
        () => done.push(ip),
        () => undefined,
      );
    const floods = Array.from({ length: 100 }, (_, index) => hash(`198.51.${index % 5}.7`));
    const owner = hash(IP);
    await owner;
    // Behind the whole queue it would be the 65th or so. While its own thread is slow, the other one goes on.
    expect(done.length).toBeLessThan(HALF_OF_QUEUE);
    expect(done).toContain(IP);
    await Promise.all(floods);
    expect(done).toHaveLength(2 + 64);
  });

  it.each([
    'elevenchars',
    '🌶🍋🥑🍄🧄🥕🌽🥦🍆🧅🥔',
    '',
    'Password1234',
    'q1w2-e3r4-t5y6',
    'aaaaaaaaaaaaaaaa',
    'abababababab',
    'x'.repeat(MAX_PASSWORD_LENGTH + 1),
    // The hashed part is `password1234`, and six letters.
    '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff441234',
    'e\u0301o\u0301a\u0301u\u0301i\u0301y\u0301',
  ])('refuses %s', password => {
    expect(refusedParam(password)).toBe('password');
  });

  it('takes any other of twelve characters and more', () => {
    expect(refusedParam('plum-otter-9')).toBeNull();
    expect(refusedParam(PASSWORD)).toBeNull();
    expect(refusedParam('🌶🍋🥑🍄🧄🥕🌽🥦'.repeat(MAX_PASSWORD_LENGTH / 8))).toBeNull();
  });
});
