/** The name in a header Host: in lower case, without port and the root's dot. Null for a text that names no host. */
export function hostNameOf(host: string): string | null {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : null;
}
