import type { DestinationStream } from 'pino';

/** The part of a standard output that tells whether a person reads it, and takes the lines. */
export type Output = {
  readonly isTTY?: boolean;
  readonly hasColors?: () => boolean;
  write(text: string): unknown;
};

/** An escape of JSON. An escaped backslash is one match, so its second half begins no other. */
const ESCAPE = /\\(?:u00[0-9a-f]{2}|[^])/gi;
const CONTROL = /^\\(?:u00(?:[0189][0-9a-f]|7f)|[bfr])$/i;
/** Control characters that JSON leaves as they are. */
const RAW_CONTROLS = /[\u007f-\u009f]/g;

/**
 * Lines for a person where the output is a terminal; null elsewhere, since programs read JSON. The package is loaded
 * for a terminal alone.
 */
export async function terminalLines(output: Output): Promise<DestinationStream | null> {
  if (output.isTTY !== true) return null;
  const { prettyFactory } = await import('pino-pretty');
  const readable = prettyFactory({
    colorize: output.hasColors?.() === true,
    translateTime: 'UTC:HH:MM:ss.l',
    singleLine: true,
  });
  return { write: line => void output.write(readable(withoutControls(line)) ?? '') };
}

/**
 * The JSON line with its control characters as texts. Words of others, such as a provider's, must not move the cursor
 * of a terminal. Line breaks and tabs stay.
 */
function withoutControls(line: string): string {
  const shown = line.replace(ESCAPE, escape => (isControl(escape) ? `\\${escape}` : escape));
  return shown.replace(RAW_CONTROLS, control => `\\\\u00${control.charCodeAt(0).toString(16)}`);
}

function isControl(escape: string): boolean {
  return CONTROL.test(escape) && !/^\\u000[9a]$/i.test(escape);
}
