import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { FixtureSite, served } from './fixture-site';

const ASSETS = path.resolve(__dirname, '..', '..', 'dist', 'web', 'assets');
const PAGE = '/checkout/pi_1';

/** The built script as checkout's pages load it. */
function builtScript(): string {
  const names = JSON.parse(readFileSync(path.join(ASSETS, 'names.json'), 'utf8')) as Record<string, string>;
  return path.join(ASSETS, names['checkout.js'] ?? '');
}

/** A checkout page in miniature, whose content the test decides. */
export class FixtureCheckout {
  /** The bodies of namings that were filed. */
  readonly claims: string[] = [];
  /** Called for each rendering, so that a page may name the time. */
  main: () => string = () => '<h1>Pay</h1>';
  /** The status of the page, and of the stream. */
  pageStatus = 200;
  streamStatus = 200;
  private version = 1;
  private readonly streams = new Set<ServerResponse>();

  private constructor(readonly site: FixtureSite) {}

  static async start(): Promise<FixtureCheckout> {
    const checkout: FixtureCheckout = new FixtureCheckout(
      await FixtureSite.start({
        [PAGE]: (request, response, body) => {
          if (checkout.pageStatus === 200) served(checkout.page())(request, response, body);
          else response.writeHead(checkout.pageStatus).end();
        },
        [`${PAGE}/events`]: (_request, response) => checkout.stream(response),
        [`${PAGE}/claims`]: (_request, response, body) => {
          checkout.claims.push(body);
          response.writeHead(303, { location: PAGE }).end();
        },
        '/checkout.js': served(readFileSync(builtScript(), 'utf8'), 'text/javascript'),
      }),
    );
    return checkout;
  }

  get url(): string {
    return `${this.site.origin}${PAGE}`;
  }

  /** How often the page was asked for. */
  get pageRequests(): number {
    return this.site.requests.filter(line => line === `GET ${PAGE}`).length;
  }

  get openStreams(): number {
    return this.streams.size;
  }

  /** The page is another one now; open streams hear of it unless they are dropped first. */
  change(main: string | (() => string)): void {
    this.main = typeof main === 'string' ? () => main : main;
    this.version += 1;
    for (const stream of this.streams) stream.write(this.event());
  }

  /** As a proxy or a radio link ends a connection. */
  dropStreams(): void {
    for (const stream of this.streams) stream.destroy();
  }

  reset(): void {
    this.dropStreams();
    this.main = () => '<h1>Pay</h1>';
    this.pageStatus = this.streamStatus = 200;
    this.version = 1;
    this.claims.splice(0);
    this.site.requests.splice(0);
  }

  private page(): string {
    return `<!doctype html><html lang="en"><head><title>Version ${this.version}</title>
      <script src="/checkout.js" defer></script></head>
      <body data-page-version="${this.version}" data-events="${PAGE}/events">
      <p id="not-current" hidden>Not up to date</p><main>${this.main()}</main>
      <p id="said" role="status"></p></body></html>`;
  }

  private event(): string {
    return `retry: 1000\ndata: ${this.version}\n\n`;
  }

  private stream(response: ServerResponse): void {
    response.writeHead(this.streamStatus, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    if (this.streamStatus !== 200) return void response.end();
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
    response.write(this.event());
  }
}
