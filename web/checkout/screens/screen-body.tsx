import { Form } from '../../parts/form';
import { Hash } from '../../parts/address';
import { Fact } from '../../parts/facts';
import { isolated } from '../../parts/isolate';
import { FaultNote } from '../../parts/note';
import { keepingLanguage, usePage } from '../../parts/page-context';
import { sentenceArguments, type CheckoutProps } from './checkout-props';
import { isUnderWay, type Screen } from './checkout-screen';
import { Choice } from './choice';
import { payableOf } from './payable';
import { PayableScreen } from './payable-screen';
import { InvoiceLink } from './shop';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** The part of a screen below its title and its sentence. */
export function ScreenBody({ screen, ...props }: CheckoutProps & { readonly screen: Screen }) {
  const { view } = props;
  switch (screen) {
    case 'created':
      return <Choice {...props} />;
    case 'awaiting':
    case 'underpaid':
      return <Payment view={view} />;
    case 'detected':
    case 'confirming':
      return <Confirmations view={view} screen={screen} />;
    case 'confirmed':
    case 'overpaid':
      return <Paid view={view} path={props.path} />;
    case 'canceled':
      return (
        <>
          <Back view={view} isPaid={false} />
          <InvoiceLink view={view} style="button wide" />
        </>
      );
    case 'expired':
    case 'failed':
      return <Restart {...props} />;
    case 'underpaid_inferred':
    case 'underpaid_stopped':
    case 'rejected':
    case 'held':
    case 'paid_late':
      return <Arrived view={view} />;
    default:
      return screen satisfies never;
  }
}

function Payment({ view }: { readonly view: CheckoutView }) {
  const payable = payableOf(view);
  return payable && <PayableScreen view={view} payable={payable} />;
}

function Confirmations({ view, screen }: { readonly view: CheckoutView; readonly screen: Screen }) {
  const { language } = usePage();
  const { count, required } = sentenceArguments(view);
  return (
    <>
      {isUnderWay(view) && (
        <progress
          class="confirmations"
          max={Math.max(1, required)}
          value={count}
          aria-label={language.say('confirming.label')}
        />
      )}
      {screen === 'confirming' && <p class="hint">{language.say('confirming.hint')}</p>}
      <Arrived view={view} />
    </>
  );
}

/** The transactions that have come, for whoever asks the shop or the wallet about them. */
function Arrived({ view }: { readonly view: CheckoutView }) {
  const { transfers } = view.payment;
  const hashes = [...new Set(transfers.map(({ tx_hash }) => tx_hash))];
  if (hashes.length === 0) return null;
  return (
    <dl class="facts">
      {hashes.map(hash => (
        <Fact key={hash} term="checkout.transaction">
          <Hash hash={hash} />
        </Fact>
      ))}
    </dl>
  );
}

function Paid({ view, path }: { readonly view: CheckoutView; readonly path: string }) {
  const page = usePage();
  return (
    <>
      <Back view={view} isPaid />
      <a class="button wide" href={keepingLanguage(page, `${path}/receipt`)}>
        {page.language.say('checkout.receipt')}
      </a>
      <InvoiceLink view={view} style="button wide" />
      <Arrived view={view} />
    </>
  );
}

/** A link and no form: a page sends forms to the service alone. */
function Back({ view, isPaid }: { readonly view: CheckoutView; readonly isPaid: boolean }) {
  const { language } = usePage();
  const shop = isolated(view.shop.name);
  if (view.successUrl === null) return null;
  return (
    <div class="back">
      <a class="button main wide" href={view.successUrl} rel="noreferrer">
        {language.say('checkout.back', { shop })}
      </a>
      {isPaid && <p class="hint">{language.say('checkout.back_is_no_proof', { shop })}</p>}
    </div>
  );
}

/** How the customer can pay again. An invoice makes each of its payments itself. */
function Restart({ view, formId, path, fault }: CheckoutProps) {
  const page = usePage();
  const { language } = page;
  if (view.payment.invoice !== null)
    return (
      <>
        <InvoiceLink view={view} style="button main wide" />
        <p class="hint">{language.say('restart.from_invoice')}</p>
        <Arrived view={view} />
      </>
    );
  if (view.restartedAs !== null)
    return (
      <a class="button main wide" href={keepingLanguage(page, `${page.root}/checkout/${view.restartedAs}`)}>
        {language.say('restart.go_on')}
      </a>
    );
  return (
    <>
      {fault?.form === 'restart' && <FaultNote text={fault.text} />}
      {view.mayRestart ? (
        <Form action={keepingLanguage(page, `${path}/restart`)} formId={formId} class="restart">
          <button class="button main wide" type="submit">
            {language.say('restart.submit')}
          </button>
          <p class="hint">{language.say('restart.explained')}</p>
        </Form>
      ) : (
        <p>{language.say('restart.ask_shop', { shop: isolated(view.shop.name) })}</p>
      )}
      <Arrived view={view} />
    </>
  );
}
