import { parseIsoTime } from '../../src/kernel/clock';
import type { PayLinkView } from '../../src/modules/payment-links/queries/pay-link-view';
import { CardPage } from '../checkout/screens/card-page';
import { shopArguments } from '../checkout/screens/shop';
import { Copy } from '../parts/copy';
import { Fact } from '../parts/facts';
import { Field, Form } from '../parts/form';
import { Icon } from '../parts/icon';
import { isolated } from '../parts/isolate';
import { FaultNote } from '../parts/note';
import { LanguageLinks } from '../parts/page';
import { keepingLanguage, usePage } from '../parts/page-context';
import { Qr } from '../parts/qr';

/** Longer than every amount, however somebody writes it. */
const MAX_AMOUNT_LENGTH = 60;

/** A refused form: its reason in the customer's words, at the amount's field or above the form. */
export type PayFault = {
  readonly place: 'amount' | 'form';
  readonly text: string;
  /** The amount as it was typed. */
  readonly typed: string;
};

type PayProps = {
  readonly view: PayLinkView;
  /** The path of the link's page. */
  readonly path: string;
  /** A fresh id for the page's form. */
  readonly formId: string;
  /** A refused form, told at its place; null where none was refused. */
  readonly fault: PayFault | null;
};

/** The page of a link: its price, or a field for an amount, and the way to the checkout of a new payment. */
export function PayPage(props: PayProps) {
  const { view } = props;
  const { language } = usePage();
  const { standing } = view;
  const title = language.say(`pay.${standing}.title`, shopArguments(view));
  return (
    <CardPage view={view} title={title}>
      <header class="heading">
        {standing !== 'open' && (
          <span class="sign">
            <Icon name={standing === 'ended' ? 'clock' : 'ban'} />
          </span>
        )}
        <h1 id="title">{title}</h1>
        <p>{language.say(`pay.${standing}.sentence`, shopArguments(view))}</p>
      </header>
      {standing === 'open' && <Open {...props} />}
      <LanguageLinks />
    </CardPage>
  );
}

function Open({ view, path, formId, fault }: PayProps) {
  const page = usePage();
  const { language } = page;
  const { link } = view;
  const price = link.amount_minor_units;
  return (
    <>
      {price !== null && <p class="price">{language.money(price, link.currency, link.currency_decimals)}</p>}
      <Facts link={link} />
      {fault?.place === 'form' && <FaultNote text={fault.text} />}
      <Form
        action={keepingLanguage(page, price === null ? `${path}/amount` : path)}
        formId={formId}
        class="choice no-print"
      >
        {price === null && <AmountField link={link} fault={fault} />}
        <button class="button main wide" type="submit">
          {language.say('pay.submit')}
        </button>
      </Form>
      <OwnAddress url={view.url} />
      <p class="trust">
        <Icon name="shield-check" />
        <span>{language.say('checkout.trust', shopArguments(view))}</span>
      </p>
    </>
  );
}

function Facts({ link }: { readonly link: PayLinkView['link'] }) {
  const { language } = usePage();
  const { description, expires_at: end } = link;
  if (description === null && end === null) return null;
  return (
    <dl class="facts">
      {description !== null && (
        <Fact term="checkout.for">
          <bdi>{description}</bdi>
        </Fact>
      )}
      {end !== null && <Fact term="pay.until">{language.moment(parseIsoTime(end))}</Fact>}
    </dl>
  );
}

function AmountField({ link, fault }: Pick<PayProps, 'fault'> & { readonly link: PayLinkView['link'] }) {
  const { language } = usePage();
  const { currency, currency_decimals: decimals, min_minor_units: least, max_minor_units: most } = link;
  const money = (minorUnits: string | null) => isolated(language.money(minorUnits ?? '0', currency, decimals));
  return (
    <Field
      name="amount"
      id="amount"
      label={language.say('pay.amount', { currency })}
      hint={language.say('pay.bounds', { least: money(least), most: money(most) })}
      fault={fault?.place === 'amount' ? fault.text : null}
      value={fault?.typed ?? ''}
      maxLength={MAX_AMOUNT_LENGTH}
      keyboard="decimal"
    />
  );
}

/** The page's own address, for whoever pays on another device, or from paper. */
function OwnAddress({ url }: { readonly url: string }) {
  const { language } = usePage();
  return (
    <div class="codes">
      <Qr text={url} label={language.say('pay.code_label')} />
      <p class="hint">{language.say('pay.code_hint')}</p>
      <p class="print-only">{url}</p>
      <Copy text={url} label={language.say('pay.copy')} isLabelled />
    </div>
  );
}
