import { isLoopback } from '../outbound/loopback';
import type { Variables } from './config-schema';

const PAGES = ['PUBLIC_URL', 'SANDBOX_URL', 'DOCS_URL', 'DASHBOARD_URL', 'CONSOLE_URL', 'CHECKOUT_URL'] as const;
const EXCEPT = 'with NODE_ENV=production, except on loopback';
const INNER_NETWORK = 'or set ENGINES_WITHOUT_TLS=on where the network between them is your own';
/** A socket's path stands in place of the host, encoded. */
const SOCKET = /^%2f/i;

/** The variables that would let secrets leave this machine in clear text, each with its remedy. */
export function clearTextFaults(variables: Variables): string[] {
  const faults: string[] = PAGES.filter(name => isClearPage(urlOf(variables, name))).map(
    name => `${name}: must be https ${EXCEPT}`,
  );
  if (variables.ENGINES_WITHOUT_TLS) return faults;
  const { EVENTSTORE_URL, MONGODB_URL } = variables;
  if (EVENTSTORE_URL !== null && leaves(EVENTSTORE_URL) && !hasEventStoreTls(EVENTSTORE_URL))
    faults.push(`EVENTSTORE_URL: must use TLS ${EXCEPT}: leave tls=false out, ${INNER_NETWORK}`);
  if (MONGODB_URL !== null && leaves(MONGODB_URL) && !hasMongoTls(MONGODB_URL))
    faults.push(`MONGODB_URL: must use TLS ${EXCEPT}: add tls=true, ${INNER_NETWORK}`);
  return faults;
}

/** Clients follow the public URL, so its default counts as well. */
function urlOf(variables: Variables, name: (typeof PAGES)[number]): string | null {
  if (name !== 'PUBLIC_URL') return variables[name];
  const host = variables.HOST.includes(':') ? `[${variables.HOST}]` : variables.HOST;
  return variables.PUBLIC_URL ?? `http://${host}`;
}

function isClearPage(url: string | null): boolean {
  return url !== null && new URL(url).protocol === 'http:' && leaves(url);
}

/** Whether one of the URL's hosts is another machine. */
function leaves(url: string): boolean {
  return new URL(url).hostname.split(',').some(host => !isLoopback(host) && !SOCKET.test(host));
}

/** The client encrypts unless the URL says otherwise. */
function hasEventStoreTls(url: string): boolean {
  return optionsOf(url, ['tls']).every(value => value === 'true');
}

/** With `+srv` the driver encrypts unless the URL says otherwise. */
function hasMongoTls(url: string): boolean {
  const options = optionsOf(url, ['tls', 'ssl']);
  return options.every(value => value === 'true') && (options.length > 0 || url.startsWith('mongodb+srv:'));
}

function optionsOf(url: string, names: readonly string[]): readonly string[] {
  const options = [...new URL(url).searchParams];
  return options.filter(([name]) => names.includes(name.toLowerCase())).map(([, value]) => value.toLowerCase());
}
