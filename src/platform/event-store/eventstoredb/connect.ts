import { EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import { hideCredentials } from '../../logging/redaction';
import type { Connect } from './event-store-client';

const URL_PATTERN = /^(esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/]+):([^@/]*)@)?([^@]+)$/;
/** An insecure connection sends no credentials; that a call has some is what matters. */
const UNSENT_CREDENTIALS: Credentials = { username: 'none', password: 'none' };

type Closable = { getChannel(): Promise<{ close(): void }> };

/**
 * How to connect to `esdb://[user:password@]host[:port][,…][?tls=false&…]`; `kurrentdb://` is the same protocol's newer
 * name. Throws RangeError on what is no such URL, without repeating the password.
 */
export function connector(url: string): Connect {
  const match = URL_PATTERN.exec(url.trim());
  const shown = hideCredentials(url);
  if (!match) throw new RangeError(`not an EventStoreDB URL, which is esdb://host:port or esdb+discover://…: ${shown}`);
  const [, , discover = '', username, password, rest = ''] = match;
  const options = queryOptions(rest);
  if (options.get('throwonappendfailure') === 'false') {
    throw new RangeError(`throwOnAppendFailure=false makes the client answer wrong revisions: ${shown}`);
  }
  const given = username === undefined ? '' : `${username}:${password}@`;
  const clientUrl = `esdb${discover}://${given}${rest}`;
  const isInsecure = options.get('tls') === 'false';
  const appendCredentials = isInsecure ? UNSENT_CREDENTIALS : credentialsOf(username, password);
  const connect: Connect = () => ({ client: closing(newClient(clientUrl, shown)), appendCredentials });
  newClient(clientUrl, shown);
  return connect;
}

/** A client opens no connection before its first call, so making one is how its parser is asked. */
function newClient(clientUrl: string, shown: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(clientUrl);
  } catch (error) {
    // eslint-disable-next-line preserve-caught-error -- the parser's error holds the password.
    throw new RangeError(`not an EventStoreDB URL: ${shown}: ${hideCredentials((error as Error).message)}`);
  }
}

/** The client's own `dispose` cancels its streams and leaves its channel open. */
function closing(client: EventStoreDBClient): EventStoreDBClient {
  const cancelStreams = client.dispose;
  client.dispose = async () => {
    await cancelStreams();
    const channel = await (client as unknown as Closable).getChannel();
    channel.close();
  };
  return client;
}

function credentialsOf(username: string | undefined, password = ''): Credentials | undefined {
  if (username === undefined) return undefined;
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Keys as the client compares them: without case, dashes and underscores. */
function queryOptions(rest: string): ReadonlyMap<string, string> {
  const query = rest.slice(rest.indexOf('?') + 1);
  const pairs = query.split('&').map(pair => pair.split('='));
  return new Map(pairs.map(([key = '', value = '']) => [key.trim().toLowerCase().replace(/[_-]/g, ''), value.trim()]));
}
