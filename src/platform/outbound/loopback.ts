import { isIPv4 } from 'node:net';

/** Whether a URL's host is this machine by its name alone, so that nothing sent there leaves the machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || isLoopbackAddress(bare);
}

function isLoopbackAddress(text: string): boolean {
  return isIPv4(text) && text.startsWith('127.');
}
