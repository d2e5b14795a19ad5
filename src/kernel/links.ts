import { refuse } from '../vocabulary/errors';

export const MAX_LINK_LENGTH = 2_048;

const PRINTABLE = /^[\x21-\x7e]+$/;
const WEB_SCHEMES: readonly string[] = ['https:', 'http:'];

/**
 * A link that customers follow or load from, unchanged. Throws Refusal parameter_invalid naming `param` for any other
 * scheme, and for a link with a user name or password.
 */
export function checkedLink(param: string, text: string | null, schemes = WEB_SCHEMES): string | null {
  if (text === null) return null;
  const isText = text.length <= MAX_LINK_LENGTH && PRINTABLE.test(text);
  const url = isText && URL.canParse(text) ? new URL(text) : null;
  const isWritten = schemes.some(scheme => text.toLowerCase().startsWith(`${scheme}//`));
  if (!url || !isWritten || url.username !== '' || url.password !== '') {
    const starts = schemes.map(each => `${each}//`).join(' or ');
    throw refuse('parameter_invalid', { param, message: `This is not an address that starts with ${starts}.` });
  }
  return text;
}
