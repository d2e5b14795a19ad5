/** This very machine, whatever its case and form: `URL` writes 127.1 and 2130706433 out. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * By whose word an endpoint's answers are: its host, which may be named where its URL may hold a key. Two ports of a
 * host are one witness; only on this machine each is a node of its own.
 */
export function witnessOf(url: string): string {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, '');
  return LOOPBACK.test(name) && port !== '' ? `${name}:${port}` : name;
}
