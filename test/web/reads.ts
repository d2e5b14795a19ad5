import type { Reply } from '../support/http-caller';
import { readTwice, type RoundTrips } from '../support/round-trips';
import { hiddenIn, type FormBrowser } from './form-browser';

/** A person's browser, or a customer's. */
type Browser = { open(path: string): Promise<Reply> };

type SentForm = {
  /** The page that the form stands on. */
  readonly page: string;
  readonly path: string;
  /** By default the path. */
  readonly name?: string;
  readonly fields?: object;
  /** The things that are read anew after a wait. */
  readonly anew?: readonly string[];
};

/** Pages and forms, with the things that each has read twice. */
export class Reads {
  readonly twice: (readonly [path: string, things: readonly string[]])[] = [];
  /** Forms that were refused: what they read says nothing. */
  readonly refused: string[] = [];

  constructor(private readonly trips: RoundTrips) {}

  /** A page that the process has shown before. */
  async page(browser: Browser, path: string): Promise<void> {
    const { status } = await browser.open(path);
    if (status >= 500) throw new Error(`${path} is answered ${status}`);
    this.note(path, readTwice(await this.trips.noting(() => browser.open(path))));
  }

  async form(browser: FormBrowser, { page, path, name = path, fields = {}, anew }: SentForm): Promise<string> {
    const { body } = await browser.open(page);
    const sent = { formId: hiddenIn(body, 'form_id'), csrf: hiddenIn(body, 'csrf') };
    let answer = { status: 0, body: '' };
    const trips = await this.trips.noting(async () => (answer = await browser.sendForm(page, path, fields, sent)));
    if (answer.status < 400) this.note(name, readTwice(trips));
    else this.refused.push(name);
    return answer.body;
  }

  private note(path: string, things: readonly string[]): void {
    if (things.length > 0) this.twice.push([path, things]);
  }
}
