import type { Browser, BrowserContext, Page } from 'playwright-core';
import { inPage } from './in-page';
import { stripScripts } from './strip-scripts';

/** How a person looks at pages. A plain look is a light theme, English, a wide screen and scripts. */
export interface Look {
  readonly theme?: 'light' | 'dark';
  /** Asked for by `Accept-Language`. */
  readonly lang?: string;
  readonly screen?: 'desktop' | 'phone';
  /** False: as in a browser whose script is off, but axe still runs. */
  readonly script?: boolean;
  /** By how much the wall's clock of the customer is wrong. */
  readonly clockWrongByMs?: number;
  /** Animation spoils measured contrasts, so the plain look has none. */
  readonly motion?: boolean;
}

const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 320, height: 640 } };
/** Below the limit of a test, so that a failure names the element waited for. */
const WAIT_LIMIT_MS = 12_000;
const OWN_SCHEMES = ['data:', 'blob:', 'about:'];

/** One person's window on pages of one host, without cookies or storage of other visits. */
export class Visit {
  /** Console errors, breaches of the content policy, script failures, and requests to other hosts. */
  private faults: string[] = [];
  private origin: string | null = null;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private seenAs: Required<Pick<Look, 'theme' | 'screen'>>,
  ) {}

  static async start(browser: Browser, look: Look = {}): Promise<Visit> {
    const { theme = 'light', screen = 'desktop' } = look;
    const context = await browser.newContext({
      colorScheme: theme,
      locale: look.lang ?? 'en',
      viewport: SCREENS[screen],
      reducedMotion: look.motion ? 'no-preference' : 'reduce',
    });
    context.setDefaultTimeout(WAIT_LIMIT_MS);
    await context.addInitScript(inPage('violations'));
    if (look.clockWrongByMs) await context.addInitScript(inPage('shifted-date', look.clockWrongByMs));
    if (look.script === false) await stripScripts(context);
    const visit = new Visit(context, await context.newPage(), { theme, screen });
    visit.watch();
    return visit;
  }

  /** The first page opened decides which host is no other host. Answers the status. */
  async open(url: string): Promise<number> {
    this.origin ??= new URL(url).origin;
    const answer = await this.page.goto(url);
    return answer?.status() ?? 0;
  }

  /** Pages are seen in this theme, or on this screen, from now on; the open page is, too. */
  async turn({
    theme = this.seenAs.theme,
    screen = this.seenAs.screen,
  }: Pick<Look, 'theme' | 'screen'>): Promise<void> {
    const before = this.seenAs;
    this.seenAs = { theme, screen };
    if (theme !== before.theme) await this.page.emulateMedia({ colorScheme: theme });
    if (screen !== before.screen) await this.page.setViewportSize(SCREENS[screen]);
  }

  /** The same looks, beginning with the present one: a page is laid out and painted anew for each turn. */
  fromPresent<Turn extends Pick<Look, 'theme' | 'screen'>>(looks: readonly Turn[]): readonly Turn[] {
    const { theme, screen } = this.seenAs;
    const isPresent = (look: Turn) => (look.theme ?? theme) === theme && (look.screen ?? screen) === screen;
    return [...looks].sort((one, other) => Number(isPresent(other)) - Number(isPresent(one)));
  }

  /** The faults until now, which a test expected. The end of a test fails for all that it did not take. */
  takeFaults(): readonly string[] {
    return this.faults.splice(0);
  }

  private watch(): void {
    this.context.on('console', message => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    this.context.on('weberror', failure => this.faults.push(`script: ${String(failure.error())}`));
    this.context.on('request', request => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== this.origin && !OWN_SCHEMES.includes(protocol)) this.faults.push(`other host: ${request.url()}`);
    });
  }
}
