import { Fragment } from 'preact';

/** Text whose parts between backticks are shown as code. */
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

/** Between the words of a name: `createWallet`, `rate_limit`, `/v1/wallets`, `payment.created`. */
const WORDS = /(?<=[_/.])|(?=[A-Z])/;

/** A name that may be broken between its words. */
export function Name({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(WORDS).map((word, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}
