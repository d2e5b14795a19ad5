import type { ComponentChild } from 'preact';
import type { FastifyReply } from 'fastify';
import type { MerchantContext } from '../../src/kernel/command-context';
import type { Entropy } from '../../src/kernel/entropy';
import { checkoutContext } from '../../src/modules/checkout/checkout-context';
import type { CustomerCountries } from '../../src/modules/controls/customer-countries';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp } from '../../src/platform/http/client-ip';
import type { FormBody } from '../../src/platform/http/form-body';
import type { CustomerPlace } from '../../src/platform/http/page-hosts';
import { isRefusal, refuse, type ErrorCode, type Refusal } from '../../src/vocabulary/errors';
import type { CustomerTerms } from '../../src/vocabulary/customer-terms';
import { isId } from '../../src/vocabulary/ids';
import { keepingLanguage } from '../parts/page-context';
import type { Language } from '../words/language';
import type { FormWork } from './form-work';
import type { LivePages } from './live-pages';
import { freshFormId, openStream, pageVersion, seeOther, statusOf, tellRetry } from './page-answers';
import type { PageSender } from './page-sender';

/** The form by which a customer names a transaction; each other form begins a payment or takes it further. */
export const NAMING = 'claim';

const ID_PREFIXES = { checkout: 'pi', pay: 'plink', invoices: 'inv' } as const;

/** A request of a customer. The id, which nobody can guess, opens the page; nothing else does. */
export type CustomerRequest = { readonly request: ApiRequest; readonly reply: FastifyReply; readonly id: string };

/** Does what a form asks for. Answers the path that the form leads to. */
type FormEffect = (context: MerchantContext) => Promise<string>;

type CustomerForm<Terms extends CustomerTerms, View> = {
  /** The last word of the form's address, such as `method`. */
  readonly kind: string;
  readonly form: FormBody;
  /** The terms of this moment. */
  readonly terms: () => Promise<Terms>;
  /** Reads the form. A refusal of what was typed leaves the form's id unused. */
  readonly read: (terms: Terms, language: Language) => FormEffect;
  /** The facts that the page shows at this moment. */
  readonly view: () => Promise<View>;
  /** Answers a refusal. A change since the form was shown may be its reason: `now` tells it. */
  readonly refused: (refusal: Refusal, now: View, language: Language) => Promise<void>;
};

type CustomerPagesParts = {
  readonly pages: PageSender;
  readonly forms: FormWork;
  readonly live: LivePages;
  readonly entropy: Entropy;
  readonly customers: Pick<CustomerCountries, 'assertTaken'>;
};

/** The part that all pages of customers share: their paths, their forms, and how open pages hear of changes. */
export class CustomerPages {
  constructor(private readonly parts: CustomerPagesParts) {}

  /** The path of a page, as a browser asks for it. */
  pathOf(place: CustomerPlace, id: string): string {
    return `${this.parts.pages.root}/${place}/${id}`;
  }

  /** The facts of the request for the page at the path. */
  factsFor(request: ApiRequest, path: string) {
    return this.parts.pages.factsFor(request, path);
  }

  /** Sends a page, with a fresh id for its forms. `refusal` is the reason why a form was refused. */
  async send(
    asked: CustomerRequest,
    path: string,
    pageOf: (formId: string) => ComponentChild,
    refusal: ErrorCode | null = null,
  ): Promise<void> {
    const { pages, entropy } = this.parts;
    const { request, reply } = asked;
    const page = pageOf(freshFormId(entropy));
    await pages.send(request, reply, pages.factsFor(request, path), page, statusOf(asked, refusal));
  }

  /** Leads to another page, in the language that the reader has chosen. */
  leadTo(asked: CustomerRequest, path: string): void {
    seeOther(asked, keepingLanguage(this.factsFor(asked.request, path), path));
  }

  /** Leads from the address of a form to the form's page. Throws Refusal resource_missing for a text that is no id. */
  leadBack(asked: CustomerRequest, place: CustomerPlace): void {
    if (!isId(ID_PREFIXES[place], asked.id)) throw refuse('resource_missing');
    this.leadTo(asked, this.pathOf(place, asked.id));
  }

  /** Works a form off once, however often it is sent, and leads on. */
  async work<Terms extends CustomerTerms, View>(
    asked: CustomerRequest,
    { kind, form, terms, read, view, refused }: CustomerForm<Terms, View>,
  ): Promise<void> {
    const { request, id } = asked;
    const { language } = this.factsFor(request, '');
    const first = await terms();
    const { mode, merchantId, nowMs, blockedCountries } = first;
    try {
      const effect = read(first, language);
      // Money that is under way is carried on, wherever its customer is.
      if (kind !== NAMING) this.parts.customers.assertTaken(clientIp(request), blockedCountries);
      const path = await this.parts.forms.once(
        { mode, merchantId, action: `${id}/${kind}`, form, nowMs },
        async command => {
          // A former try may have been waited for: the terms that were read before it are out of date.
          const now = command.isFirstTry ? first : await terms();
          const run = command.isFirstTry ? effect : read(now, language);
          const sent = { ...command, requestId: request.id, ip: clientIp(request), now: now.nowMs };
          return run(checkoutContext(now, sent));
        },
      );
      this.leadTo(asked, path);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      tellRetry(asked, error);
      await refused(error, await view(), language);
    }
  }

  /** Names what a page shows, and the build that shows it. */
  version(shown: string): string {
    return pageVersion(shown, this.parts.pages.buildId);
  }

  /** Tells the open page of changes. Without a stream, where too many pages are open, it asks from time to time. */
  listen(asked: CustomerRequest, version: () => Promise<string>): void {
    openStream(this.parts.live, asked, asked.id, version);
  }
}
