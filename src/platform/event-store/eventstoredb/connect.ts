import { EventStoreDBClient } from '@eventstore/db-client';
import { hideCredentials } from '../../logging/redaction';
import { BatchedAppends } from './batched-appends';
import type { AppendRequest, Connect, EventStoreClient } from './event-store-client';

const URL_PATTERN = /^(esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/]+):([^@/]*)@)?([^@]+)$/;

type Closable = { getChannel(): Promise<{ close(): void }> };

/**
 * Connects to `esdb://[user:password@]host[:port][,…][?tls=false&…]`; `kurrentdb://` is the same protocol's newer name.
 * Throws RangeError for another text, without repeating the password.
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
  const clientUrl = `esdb${discover}://${credentialsOf(username, password)}${rest}`;
  newClient(clientUrl, shown);
  return () => appending(newClient(clientUrl, shown));
}

/** A client opens no connection before its first call, so making one uses only its parser. */
function newClient(clientUrl: string, shown: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(clientUrl);
  } catch (error) {
    // eslint-disable-next-line preserve-caught-error -- the parser's error holds the password.
    throw new RangeError(`not an EventStoreDB URL: ${shown}: ${hideCredentials((error as Error).message)}`);
  }
}

/** The client's own `dispose` cancels its streams and leaves its channel open. */
function appending(client: EventStoreDBClient): EventStoreClient {
  const cancelStreams = client.dispose;
  const appends = new BatchedAppends(client);
  return Object.assign(client, {
    append: (request: AppendRequest) => appends.append(request),
    forgetAppend: (number: number) => appends.forget(number),
    dispose: async () => {
      appends.close();
      await cancelStreams();
      const channel = await (client as unknown as Closable).getChannel();
      channel.close();
    },
  });
}

/** The credentials as the URL has them. The client alone would cut a password at a colon. */
function credentialsOf(username: string | undefined, password = ''): string {
  return username === undefined ? '' : `${username}:${password.replaceAll(':', '%3A')}@`;
}

/** Keys as the client compares them: without case, dashes and underscores. */
function queryOptions(rest: string): ReadonlyMap<string, string> {
  const query = rest.slice(rest.indexOf('?') + 1);
  const pairs = query.split('&').map(pair => pair.split('='));
  return new Map(pairs.map(([key = '', value = '']) => [key.trim().toLowerCase().replace(/[_-]/g, ''), value.trim()]));
}
