/**
 * Whether a request came to the sandbox's own address. The header Host alone tells that, and its port does not count:
 * a proxy may leave the port out. Without an address there is none to come to.
 */
export function sandboxHost(sandboxUrl: string | null): (host: string | undefined) => boolean {
  const own = sandboxUrl === null ? null : hostnameOf(new URL(sandboxUrl).host);
  return host => own !== null && host !== undefined && hostnameOf(host) === own;
}

/** In lower case, without the dot of the root; null for a text that names no host. */
function hostnameOf(host: string): string | null {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : null;
}
