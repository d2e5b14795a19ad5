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

/** A value as JSON; nothing where there is no value. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  return value === undefined ? null : <Code label={label} text={JSON.stringify(value, null, 2)} />;
}

type KeptBodyProps = { readonly label: string; readonly text: string | null };

/** A body as the log of requests keeps it: JSON in one line, or cut, or no JSON at all. */
export function KeptBody({ label, text }: KeptBodyProps) {
  return text === null || text === '' ? <p>None.</p> : <Code label={label} text={readable(text)} />;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
