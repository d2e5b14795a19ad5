import { isRefusal } from '../../../src/vocabulary/errors';
import { checkedEmail, checkedName, MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '../../../src/modules/users/registration';

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isRefusal(error)) return `${error.code} ${error.param}`;
    throw error;
  }
  return 'none';
}

describe('what a merchant registers with', () => {
  it.each(['owner@example.com', 'first.last+shop@mail.example.co', "o'brien@xn--bcher-kva.example"])(
    'takes %s',
    email => {
      expect(checkedEmail(email)).toBe(email);
    },
  );

  it('compares addresses in lower case, without outer white space', () => {
    expect(checkedEmail(' Owner@Example.COM ')).toBe('owner@example.com');
  });

  it.each([
    'owner',
    'owner@',
    '@example.com',
    'a b@example.com',
    'a@b@example.com',
    'a@example',
    'a@-example.com',
    'a@example..com',
    'a\u0000b@example.com',
    'a\u001bb@example.com',
    'own\u200ber@example.com',
    '\u202eowner@example.com',
    'own\u00ader@example.com',
    'a\ud800@example.com',
  ])('refuses %s', email => {
    expect(refusal(() => checkedEmail(email))).toBe('parameter_invalid email');
  });

  it('refuses an address that no mail server carries', () => {
    const domain = `${'d'.repeat(60)}.`.repeat(4);
    const long = `a@${domain}com`;
    expect(checkedEmail(long)).toBe(long);
    expect(refusal(() => checkedEmail(`${'a'.repeat(MAX_EMAIL_LENGTH - long.length + 2)}@${domain}com`))).toBe(
      'parameter_invalid email',
    );
  });

  it('takes an address in one spelling, however its accents were typed', () => {
    expect(checkedEmail('jose\u0301@example.com')).toBe('jos\u00e9@example.com');
    expect(checkedEmail('JOS\u00c9@example.com')).toBe('jos\u00e9@example.com');
  });

  it.each(['Shop\r\nBcc: a@b.example', 'Shop\u2028', 'Shop\u202egro.live', 'a\u2066b', 'a\ud800b'])(
    'refuses a name that leaves its line or turns it: %j',
    name => {
      // An end of line at the end is white space.
      expect(refusal(() => checkedName(`${name} .`))).toBe('parameter_invalid name');
    },
  );

  it('takes a name of any language within its length', () => {
    expect(checkedName(' Café 東京 ')).toBe('Café 東京');
    expect(checkedName('n'.repeat(MAX_NAME_LENGTH))).toHaveLength(MAX_NAME_LENGTH);
    expect(refusal(() => checkedName('n'.repeat(MAX_NAME_LENGTH + 1)))).toBe('parameter_invalid name');
    expect(refusal(() => checkedName('line\nbreak'))).toBe('parameter_invalid name');
    expect(refusal(() => checkedName('  '))).toBe('parameter_missing name');
  });
});
