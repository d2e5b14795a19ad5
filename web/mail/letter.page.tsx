import { Prose } from '../parts/prose';
import type { Language } from '../words/language';

export type Fact = readonly [label: string, value: string];

/** A mail in words. Parts of paragraphs between backticks are shown as code. */
export type Letter = {
  readonly subject: string;
  /** Paragraphs before the facts. */
  readonly before: readonly string[];
  readonly facts: readonly Fact[];
  /** Paragraphs after the facts. */
  readonly after: readonly string[];
  readonly action: { readonly words: string; readonly url: string } | null;
};

type LetterView = Letter & { readonly language: Pick<Language, 'code' | 'direction'> };

const BODY =
  'margin:0;padding:24px 16px;font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-size:16px';
const SHEET = 'max-width:560px;margin:0 auto;line-height:1.5;overflow-wrap:anywhere;word-break:break-word';
const HEADING = 'margin:0 0 16px;font-size:20px;line-height:1.3';
const PARAGRAPH = 'margin:0 0 12px';
const FACTS = 'margin:20px 0;padding:14px 16px 4px;border:1px solid #8a8f98;border-radius:8px';
const LABEL = 'margin:0;font-size:13px';
const VALUE = 'margin:0 0 10px;font-weight:600';
/** Both colours are named, so that the words stay legible where a program turns the others around. */
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none';
const ADDRESS = 'margin:12px 0 0;font-size:13px';

/**
 * A whole document for programs that show mail, without a style sheet, a table or an image. Text and ground have no
 * colour of their own, so a dark program shows both dark.
 */
export function LetterPage({ subject, before, facts, after, action, language: { code, direction } }: LetterView) {
  return (
    <html lang={code} dir={direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
      </head>
      <body style={BODY}>
        <div style={SHEET} lang={code} dir={direction}>
          <h1 style={HEADING}>{subject}</h1>
          <Paragraphs texts={before} />
          {facts.length > 0 && (
            <dl style={FACTS}>
              {facts.map(([label, value], at) => (
                <div key={at}>
                  <dt style={LABEL}>{label}</dt>
                  <dd style={VALUE}>
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <Paragraphs texts={after} />
          {action && <Action {...action} />}
        </div>
      </body>
    </html>
  );
}

function Paragraphs({ texts }: { readonly texts: readonly string[] }) {
  return (
    <>
      {texts.map((text, at) => (
        <p key={at} style={PARAGRAPH}>
          <Prose text={text} />
        </p>
      ))}
    </>
  );
}

/** The address stands below in full, for whoever looks before following it. */
function Action({ words, url }: NonNullable<Letter['action']>) {
  return (
    <>
      <p style="margin:20px 0 0">
        <a href={url} style={BUTTON}>
          {words}
        </a>
      </p>
      <p style={ADDRESS}>
        <bdi>{url}</bdi>
      </p>
    </>
  );
}
