import { Note } from './note';

/** A mail as its receiver reads it. */
export type MailText = { readonly to: string; readonly subject: string; readonly text: string };

/** A mail that a developer's service shows, since it has no mail server. */
export function ShownMail({ mail: { subject, text } }: { readonly mail: MailText }) {
  return (
    <section class="stack" aria-labelledby="mail-subject">
      <Note tone="warn" icon="mail">
        <p>No mail server is set up, so the mail is shown here. A service in production never does this.</p>
      </Note>
      <h2 id="mail-subject">{subject}</h2>
      <p class="mail-shown">
        <Linked text={text} />
      </p>
    </section>
  );
}

const LINK = /(https?:\/\/[^\s<>"]+)/;

/** A text whose addresses can be followed. */
function Linked({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(LINK).map((part, at) =>
        at % 2 === 1 ? (
          <a key={at} href={part}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  );
}
