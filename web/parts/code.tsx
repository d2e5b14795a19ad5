import { Copy } from './copy';

type CodeProps = {
  /** The block's name, such as its language. */
  readonly label: string;
  readonly text: string;
  /** Said of a block that no test runs. */
  readonly remark?: string | null;
};

/** A block of code that scrolls inside of itself, with a button that copies it. */
export function Code({ label, text, remark = null }: CodeProps) {
  return (
    <div class="code">
      <p class="code-head">
        <span>{label}</span>
        {remark !== null && <span class="remark">{remark}</span>}
        <Copy text={text} label={`Copy: ${label}`} />
      </p>
      <pre role="group" aria-label={label} tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** Signs that break a line of JSON, or turn the direction of its rest: a text with them could pose as other members. */
const MISLEADING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON to read, with such signs as their escapes. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    MISLEADING,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as JSON; nothing where there is no value. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  return value === undefined ? null : <Code label={label} text={jsonText(value)} />;
}

type KeptBodyProps = { readonly label: string; readonly text: string | null };

/** A body as the log of requests keeps it: JSON in one line, or cut, or no JSON at all. */
export function KeptBody({ label, text }: KeptBodyProps) {
  return text === null || text === '' ? <p>None.</p> : <Code label={label} text={readable(text)} />;
}

function readable(text: string): string {
  try {
    return jsonText(JSON.parse(text));
  } catch {
    return text;
  }
}
