/** Names of this very machine: `URL` writes 127.1 and 2130706433 out. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The name of the party behind an endpoint's answers: its host, which may be named where its URL may hold a key. Two
 * ports of a host are one party; only on this machine each port is a node of its own.
 */
export function witnessOf(url: string): string {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, '');
  return LOOPBACK.test(name) && port !== '' ? `${name}:${port}` : name;
}
