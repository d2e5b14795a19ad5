import type { Visit } from './visit';

/** Bytes by kind of resource, as they came over the wire: compressed, headers included. */
export interface Transferred {
  readonly whole: number;
  readonly byKind: Readonly<Record<string, number>>;
}

/** Counts from now on; a stream counts when it has ended. Kinds are `Document`, `Script`, `Stylesheet` and so on. */
export async function countTransfers({ context, page }: Visit): Promise<() => Transferred> {
  const session = await context.newCDPSession(page);
  const kinds = new Map<string, string>();
  const byKind: Record<string, number> = {};
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    byKind[kind] = (byKind[kind] ?? 0) + encodedDataLength;
  });
  await session.send('Network.enable');
  return () => ({ byKind: { ...byKind }, whole: Object.values(byKind).reduce((sum, bytes) => sum + bytes, 0) });
}
