import { say } from './page-parts';

/**
 * `<button type="button" hidden data-copy="TEXT" data-copied="Copied">` is shown by the script, and copies the text.
 * The polite line says `data-copied`. For two seconds these words also stand in place of the button's content, or of
 * its `[data-label]` alone.
 */
const SHOWN_MS = 2_000;
const showing = new WeakSet<Element>();

/** For pages without the right to the clipboard, as over plain HTTP, and for browsers without that interface. */
function copySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  focused?.focus({ preventScroll: true });
  return copied;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

export function startCopying(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-copy]');
    if (button) void copied(button);
  });
}

async function copied(button: HTMLElement): Promise<void> {
  const { copy: text = '', copied: words = '' } = button.dataset;
  if (!(await copy(text))) return;
  say(words);
  if (showing.has(button)) return;
  showing.add(button);
  const label = button.querySelector('[data-label]') ?? button;
  const before = [...label.childNodes];
  label.replaceChildren(words);
  setTimeout(() => {
    label.replaceChildren(...before);
    showing.delete(button);
  }, SHOWN_MS);
}
