import type { OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { MINUTE_MS, SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { Log } from '../../src/kernel/ports/log';
import { FIXED_HEADERS } from '../../src/platform/http/response-headers';
import { addressSubject } from '../../src/platform/rate-limits/client-address';

/** How often the service is asked whether anything has changed, while a page is open. */
const LOOK_EVERY_MS = 100;
/** Looks of which one asks for the heads too: no watcher looks at its chain more often than every half second. */
const LOOKS_BY_HEADS = 5;
/** A page is looked at so often though nothing was heard of: a time may have passed that it depends on. */
const LOOK_AT_LEAST_EVERY_MS = 10 * SECOND_MS;
/** A page that could not be looked at is looked at again after so long. */
const LOOK_AGAIN_MS = SECOND_MS;
/** Pages looked at in one turn; the others follow in the next one. */
const PAGES_PER_TURN = 50;
const COMMENT_EVERY_MS = 15 * SECOND_MS;
const OPEN_FOR_MS = 60 * MINUTE_MS;
const STREAMS_LIMIT = 2_000;
const STREAMS_BY_READER = 4;
/** The streams of one reader over all pages: many customers may share one address. */
const STREAMS_OF_READER = 64;
/** The pause before a browser connects again. */
const RETRY_MS = 1_000;

/** The framework writes no header of a stream. */
const HEADERS = {
  ...FIXED_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

type Stream = { readonly response: ServerResponse; readonly reader: string; readonly endsMs: number; told: string };
type LivePage = { readonly version: () => Promise<string | null>; readonly streams: Set<Stream>; seenMs: number };

/** The reads by which a process hears that open pages may have changed. */
export type ChangeReads = {
  /** Position of the newest event. */
  readonly lastPosition: () => Promise<number>;
  /** Heights of the networks' heads as their watchers last saw them, always in one order. */
  readonly heads: () => Promise<readonly (number | null)[]>;
};

type LiveRequest = {
  /** Names the page, such as a payment's id. */
  readonly page: string;
  /** The state that the page shows now; null ends the page's streams, as where its reader has signed out. */
  readonly version: () => Promise<string | null>;
  /** The client's address; those that are not known count as one reader. */
  readonly address: string | null;
  /** The headers of the answer that tell of its request. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Tells open pages that they have changed: the state's name alone, never its content and never a position of the log.
 * One loop serves all pages of a process.
 */
export class LivePages implements OnModuleDestroy {
  private readonly pages = new Map<string, LivePage>();
  private count = 0;
  private running: Promise<void> | null = null;
  private readonly ending = new AbortController();

  constructor(
    private readonly reads: ChangeReads,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** False where there are too many streams: the page then asks from time to time. */
  open(response: ServerResponse, { page, version, address, headers }: LiveRequest): boolean {
    const reader = addressSubject(address ?? '') ?? '';
    const open = this.pages.get(page) ?? { version, streams: new Set<Stream>(), seenMs: 0 };
    if (this.ending.signal.aborted || !canStream(response) || this.isCrowded(open, reader)) return false;
    const stream = { response, reader, endsMs: this.clock.now() + OPEN_FOR_MS, told: '' };
    this.pages.set(page, open);
    open.streams.add(stream);
    // The first turn tells where the page stands.
    open.seenMs = 0;
    this.count++;
    response.once('close', () => this.close(page, open, stream));
    response.on('error', () => undefined);
    response.writeHead(200, { ...HEADERS, ...headers });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.running ??= this.run();
    return true;
  }

  /** Ends all streams, so that the server can close. */
  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    for (const { streams } of this.pages.values()) for (const { response } of streams) response.end();
    await this.running;
  }

  private isCrowded(page: LivePage, reader: string): boolean {
    const streamsIn = ({ streams }: LivePage) => [...streams].filter(stream => stream.reader === reader).length;
    if (this.count >= STREAMS_LIMIT || streamsIn(page) >= STREAMS_BY_READER) return true;
    let own = 0;
    for (const each of this.pages.values()) own += streamsIn(each);
    return own >= STREAMS_OF_READER;
  }

  private close(name: string, page: LivePage, stream: Stream): void {
    if (!page.streams.delete(stream)) return;
    this.count--;
    if (page.streams.size === 0 && this.pages.get(name) === page) this.pages.delete(name);
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    const change = changesOf(this.reads);
    let known = '';
    let commentedMs = this.clock.now();
    while (this.pages.size > 0 && !signal.aborted) {
      const changed = await change().catch(() => known);
      const now = this.clock.now();
      // All pages are due after a change, and take their turns by the time of their last look.
      if (changed !== known)
        for (const page of this.pages.values()) page.seenMs = Math.min(page.seenMs, now - LOOK_AT_LEAST_EVERY_MS);
      known = changed;
      await this.lookAtDue(now);
      if (now - commentedMs >= COMMENT_EVERY_MS) {
        commentedMs = now;
        this.comment(now);
      }
      await this.clock.wait(LOOK_EVERY_MS, signal);
    }
    this.running = null;
  }

  private async lookAtDue(now: number): Promise<void> {
    const due = [...this.pages].filter(([, page]) => now - page.seenMs >= LOOK_AT_LEAST_EVERY_MS);
    const turn = due.sort(([, one], [, other]) => one.seenMs - other.seenMs).slice(0, PAGES_PER_TURN);
    const faults = (await Promise.all(turn.map(([, page]) => look(page, now)))).filter(fault => fault !== null);
    if (faults.length > 0)
      this.log.warn({ pages: faults.length, err: faults[0] }, 'open pages could not be looked at; tried again');
  }

  /** Keeps proxies from closing quiet streams, and ends those that have been open for long. */
  private comment(now: number): void {
    for (const { streams } of this.pages.values())
      for (const { response, endsMs } of streams) {
        if (now >= endsMs) response.end();
        else response.write(': \n\n');
      }
  }
}

/** Each call answers another text after an append, and some calls later also after a block that a watcher has seen. */
function changesOf({ lastPosition, heads }: ChangeReads): () => Promise<string> {
  let known: readonly (number | null)[] = [];
  let looks = 0;
  return async () => {
    if (looks++ % LOOKS_BY_HEADS === 0) known = await heads();
    return [await lastPosition(), ...known].join();
  };
}

/**
 * False for a reader who has left and whose stream would never be closed, and for HEAD. An answer that waits behind
 * another one on its connection never hears the connection's end.
 */
function canStream({ destroyed, socket, req }: ServerResponse): boolean {
  return !destroyed && socket !== null && req.method !== 'HEAD';
}

/** The fault of a page that cannot be looked at now. The page keeps its streams, and lets other pages go first. */
async function look(page: LivePage, now: number): Promise<Error | null> {
  try {
    const version = await page.version();
    page.seenMs = now;
    for (const stream of page.streams) {
      if (version === null) stream.response.end();
      else tell(stream, version);
    }
    return null;
  } catch (error) {
    page.seenMs = now - LOOK_AT_LEAST_EVERY_MS + LOOK_AGAIN_MS;
    return error instanceof Error ? error : new Error(String(error));
  }
}

function tell(stream: Stream, version: string): void {
  if (stream.told === version) return;
  stream.told = version;
  stream.response.write(`id: ${version}\ndata: ${version}\n\n`);
}
