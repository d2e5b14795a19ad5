import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readTwice, type RoundTrip, type RoundTrips } from './round-trips';

/** The pages of people and customers, whose refused forms read anew for the page that tells the reason. */
const OF_FORMS = /^\/(?:dashboard|console|checkout|pay|invoices)\//;
const REFUSED = 400;

/**
 * Holds for each request that a test sends, one at a time: the request reads each thing once. What is read again after
 * the request's own write, and after a wait, is read anew. Requests that overlap are left out, since a question names
 * no request.
 */
export class ReadOnce {
  private underWay = 0;
  /** Requests that the instance has taken and not answered, whoever has sent them. */
  private taken = 0;
  private heard: readonly RoundTrip[] | null = null;
  private isAnew = false;
  private route = '';

  constructor(
    private readonly trips: RoundTrips,
    app: NestFastifyApplication,
  ) {
    const server = app.getHttpAdapter().getInstance();
    server.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) tell('routes', `${each} ${url}`);
    });
    server.addHook('onRequest', (request, _, done) => {
      this.route = `${request.method} ${request.routeOptions.url}`;
      this.taken += 1;
      if (this.taken > 1) this.leave();
      done();
    });
    server.addHook('onResponse', (_request, _reply, done) => {
      this.taken -= 1;
      done();
    });
  }

  /**
   * For a request that reads anew, and for which no answer of its own tells so: a form that is refused or sent again,
   * and leads on all the same.
   */
  async anew<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.isAnew = true;
    try {
      return await work();
    } finally {
      this.isAnew = false;
    }
  }

  begin(): void {
    this.leave();
    this.underWay += 1;
    if (this.underWay === 1) this.heard = this.trips.listen();
  }

  /** Throws where the request has read something twice. */
  end(status: number): void {
    const { heard, route } = this;
    this.leave();
    this.underWay -= 1;
    if (heard === null || (status >= REFUSED && OF_FORMS.test(route.split(' ')[1] ?? ''))) return;
    const twice = readTwice(heard);
    if (twice.length > 0 && !this.isAnew)
      throw new Error(`${route}, answered ${status}, has read twice: ${twice.join(', ')}`);
    if (status < REFUSED) tell('counted', route);
  }

  private leave(): void {
    if (this.heard) this.trips.leave(this.heard);
    this.heard = null;
  }
}

const told = new Set<string>();

/** Adds a line to a file of this run, where the run counts routes. */
function tell(name: string, line: string): void {
  const folder = process.env['COUNTED_ROUTES'];
  if (folder === undefined || told.has(`${name} ${line}`)) return;
  told.add(`${name} ${line}`);
  appendFileSync(path.join(folder, name), `${line}\n`);
}
