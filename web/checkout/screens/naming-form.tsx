import { Hash } from '../../parts/address';
import { Field, Form } from '../../parts/form';
import { Note } from '../../parts/note';
import { keepingLanguage, usePage } from '../../parts/page-context';
import type { CheckoutProps } from './checkout-props';

/** Longer than every hash and every exchange's number. */
const MAX_REFERENCE_LENGTH = 200;
/** Customers seldom name more than one. */
const MOST_SHOWN = 3;
const SEARCHED: readonly string[] = ['pending', 'in_review'];

/** The way back to namings that nobody has answered yet: without it a customer may pay twice. */
export function NamingsUnderSearch({ view, path }: CheckoutProps) {
  const page = usePage();
  const searched = (view.payment.claims ?? []).filter(({ status }) => SEARCHED.includes(status));
  if (searched.length === 0) return null;
  return (
    <Note tone="info" icon="search">
      <p>{page.language.say('naming.under_search')}</p>
      {searched.slice(0, MOST_SHOWN).map(({ id, reference }) => (
        <p key={id}>
          <a href={keepingLanguage(page, `${path}/claims/${id}`)}>
            <Hash hash={reference} />
          </a>
        </p>
      ))}
    </Note>
  );
}

/** "I have paid": a hash, or the number that an exchange shows. */
export function NamingForm({ formId, path, fault }: CheckoutProps) {
  const page = usePage();
  const { language } = page;
  const refused = fault?.form === 'claim' ? fault : null;
  return (
    <details id="claim-more" class="claim" open={refused !== null}>
      <summary>{language.say('naming.summary')}</summary>
      <Form action={keepingLanguage(page, `${path}/claims`)} formId={formId} id="claim-form">
        <p>{language.say('naming.explained')}</p>
        <Field
          name="tx_hash"
          id="tx-hash"
          label={language.say('naming.label')}
          maxLength={MAX_REFERENCE_LENGTH}
          value={refused?.value ?? ''}
          fault={refused?.text ?? null}
        />
        <button class="button" type="submit">
          {language.say('naming.submit')}
        </button>
      </Form>
    </details>
  );
}
