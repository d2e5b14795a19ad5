/**
 * Long passwords that every guessing list starts with, in the form that `isCommonPassword` compares: lower-case letters
 * and digits only.
 */
const COMMON = new Set([
  '111111111111', '123123123123', '123456123456', '123456789012', '1234567890123', '12345678901234', '1234567890abc',
  '123456789abc', '1q2w3e4r5t6y', '1qaz2wsx3edc', '1qaz2wsx3edc4rfv', 'abc123456789', 'abcdefghijkl', 'administrator',
  'adminadminadmin', 'asdfghjkl123', 'changemechangeme', 'changeme1234', 'correcthorsebatterystaple', 'iloveyou1234',
  'iloveyouiloveyou', 'letmeinletmein', 'letmein12345', 'passwordpassword', 'password1234', 'password12345',
  'password123456', 'qazwsxedcrfv', 'qwerty123456', 'qwertyqwerty', 'qwertyuiop12', 'qwertyuiop123', 'qwertyuiopasdf',
  'q1w2e3r4t5y6', 'welcome12345', 'welcomewelcome', 'zaq12wsxcde3', 'zxcvbnm12345',
]); // prettier-ignore

/** Distinct characters below which a password is a pattern, whatever its length. */
const FEWEST_DISTINCT = 5;

export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return COMMON.has(plain) || new Set(password).size < FEWEST_DISTINCT;
}
