import { checkedLink, MAX_LINK_LENGTH } from '../../src/kernel/links';
import { isRefusal } from '../../src/vocabulary/errors';

/** The sentence with which the link is refused; null where it is taken. */
function faultOf(link: string, schemes?: readonly string[]): string | null {
  try {
    expect(checkedLink('success_url', link, schemes)).toBe(link);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    expect(error).toMatchObject({ code: 'parameter_invalid', param: 'success_url' });
    return error.message;
  }
}

const ofLength = (length: number): string => 'https://shop.example/'.padEnd(length, 'a');

it.each<[string, string, RegExp | null, string?]>([
  ['a link', 'https://shop.example/thanks?order=7', null],
  ['the longest link', ofLength(MAX_LINK_LENGTH), null],
  ['a longer one', ofLength(MAX_LINK_LENGTH + 1), /longer than 2048 characters/],
  ['another scheme', 'javascript://shop.example', /starts with https:\/\/ or http:\/\//],
  ['a scheme that is not asked for', 'http://shop.example/logo.png', /starts with https:\/\/\.$/, 'https:'],
  ['no address at all', 'thanks', /starts with/],
  ['a letter beyond ASCII', 'https://shop.example/caf\u00e9', /percent-encoded/],
  ['a space', 'https://shop.example/a b', /percent-encoded/],
  ['no host', 'https://', /No browser can read/],
  ['a user name', 'https://shop@shop.example', /no user name/],
  ['a password', 'https://:word@shop.example', /no password/],
])('a link is taken, or refused by the sentence that is true of it: %s', (_, link, fault, ...[only]) => {
  const schemes = typeof only === 'string' ? [only] : undefined;
  if (fault === null) expect(faultOf(link, schemes)).toBeNull();
  else expect(faultOf(link, schemes)).toMatch(fault);
});
