import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Call, Reply, RequestWatch } from './http-caller';
import { forRequest, readTwice, type RoundTrip } from './round-trips';

/** A form of people or customers, whose refusal reads anew for the page that tells the reason. */
const FORM = /^POST \/(?:dashboard|console|checkout|pay|invoices)\//;
const REFUSED = 400;

type Watched = Pick<Call, 'method' | 'path'> & {
  readonly heard: RoundTrip[];
  readonly isAnew: boolean;
  /** Null until the routes have taken it: a gate may answer before. */
  route: string | null;
};

/**
 * Checks that each request of a test reads each thing once. A thing that is read again after the request's own write,
 * or after a wait, is read anew.
 */
export class ReadOnce implements RequestWatch {
  private sent: Watched[] = [];
  private readonly taken = new WeakMap<object, Watched>();
  /** Calls of `anew` that are under way. */
  private anews = 0;

  constructor(app: NestFastifyApplication) {
    if (!isHeld()) return;
    const server = app.getHttpAdapter().getInstance();
    server.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) tell('routes', `${each} ${url}`);
    });
    server.addHook('onRequest', (request, _, done) => {
      const watched = this.sent.find(({ method, path: at, route }) => {
        return route === null && method === request.method && at === request.originalUrl;
      });
      if (!watched) return done();
      watched.route = `${request.method} ${request.routeOptions.url}`;
      this.taken.set(request, watched);
      forRequest(watched.heard, done);
    });
    // A body comes in events of its connection, which know of no request.
    server.addHook('preHandler', (request, _, done) => {
      const watched = this.taken.get(request);
      if (watched) forRequest(watched.heard, done);
      else done();
    });
  }

  /**
   * A request that reads anew, though its answer does not say so: a form that is refused or sent again, and leads on.
   */
  async anew<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.anews += 1;
    try {
      return await work();
    } finally {
      this.anews -= 1;
    }
  }

  /** The answered function throws where the request has read something twice. */
  begin({ method, path: at }: Call): (reply: Reply | null) => void {
    const watched: Watched = { method, path: at, heard: [], isAnew: this.anews > 0, route: null };
    this.sent.push(watched);
    return reply => {
      this.sent = this.sent.filter(each => each !== watched);
      const { route, heard, isAnew } = watched;
      if (reply === null || route === null || isAnew || (reply.status >= REFUSED && FORM.test(route))) return;
      const twice = readTwice(heard);
      if (twice.length > 0) throw new Error(`${route}, answered ${reply.status}, has read twice: ${twice.join(', ')}`);
      if (reply.status < REFUSED && !isLedToSignIn(route, reply)) tell('counted', route);
    };
  }
}

function isLedToSignIn(route: string, { headers: { location = '' } }: Reply): boolean {
  return route.startsWith('GET ') && /\/sign-in(?:\?|$)/.test(location);
}

const told = new Set<string>();

/** Requests of integration tests and of the fuzz are held to it. */
function isHeld(): boolean {
  return isOfLevel() || testPath().includes('/test/fuzz/');
}

function isOfLevel(): boolean {
  return /\.int\.spec\.tsx?$/.test(testPath());
}

/** The benches open stages without a test. */
function testPath(): string {
  return typeof expect === 'undefined' ? '' : (expect.getState().testPath ?? '');
}

/** Adds a line to a file of this run, where the run counts routes. Requests of integration tests alone count. */
function tell(name: string, line: string): void {
  const folder = process.env['COUNTED_ROUTES'];
  if (folder === undefined || !isOfLevel() || told.has(`${folder} ${name} ${line}`)) return;
  told.add(`${folder} ${name} ${line}`);
  appendFileSync(path.join(folder, name), `${line}\n`);
}
