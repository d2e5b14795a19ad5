export type Tone = 'idle' | 'ok' | 'info' | 'warn' | 'bad' | 'review';

/** A state in a word. The colour says nothing that the word does not. */
export function Badge({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return <span class={`badge ${tone}`}>{text}</span>;
}

/** The tones of a payment's states. */
const TONES: Readonly<Record<string, Tone>> = {
  created: 'idle',
  awaiting_payment: 'warn',
  detected: 'info',
  confirming: 'info',
  confirmed: 'ok',
  overpaid: 'ok',
  underpaid: 'review',
  paid_late: 'review',
  failed: 'bad',
  expired: 'idle',
  canceled: 'idle',
};

/** A payment's state. A state that is not known yet is shown by its name. */
export function StatusBadge({ status }: { readonly status: string }) {
  return <Badge tone={TONES[status] ?? 'idle'} text={spoken(status)} />;
}

const LETTERS = /\b(?:api|kyb|totp|url)\b/gi;

/** A name of the API in words: `awaiting_payment` is `Awaiting payment`. */
export function spoken(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(LETTERS, each => each.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
