import { refuse } from '../vocabulary/errors';

export const MAX_LINK_LENGTH = 2_048;

const PRINTABLE = /^[\x21-\x7e]+$/;
const WEB_SCHEMES: readonly string[] = ['https:', 'http:'];

/**
 * A link that customers follow or load from, unchanged. Throws Refusal parameter_invalid naming `param` for any other
 * scheme, and for a link with a user name or password. Characters beyond ASCII are refused too.
 */
export function checkedLink(param: string, text: string | null, schemes = WEB_SCHEMES): string | null {
  const fault = text === null ? null : linkFault(text, schemes);
  if (fault !== null) throw refuse('parameter_invalid', { param, message: fault });
  return text;
}

/** The sentence about the link's fault; null for a link without one. */
function linkFault(text: string, schemes: readonly string[]): string | null {
  if (text.length > MAX_LINK_LENGTH) return `The link is longer than ${MAX_LINK_LENGTH} characters.`;
  const isWritten = schemes.some(scheme => text.toLowerCase().startsWith(`${scheme}//`));
  const starts = schemes.map(each => `${each}//`).join(' or ');
  if (!isWritten) return `This is not an address that starts with ${starts}.`;
  if (!PRINTABLE.test(text))
    return 'A link holds ASCII without spaces: write other characters percent-encoded, as %C3%A9.';
  if (!URL.canParse(text)) return 'No browser can read this address.';
  const { username, password } = new URL(text);
  return username === '' && password === '' ? null : 'A link must hold no user name and no password.';
}
