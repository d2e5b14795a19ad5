/**
 * Elements that every page has, and what is done with parts of a page when it arrives or is swapped.
 *
 * - `#said`, `role="status"`, outside of `main`: the one polite line.
 * - `[data-scripted]` is born `hidden` and shown; `[data-unscripted]` is hidden, since a script does its work.
 */
export function byId(id: string): HTMLElement | null {
  return document.getElementById(id);
}

export function all(selector: string, root: ParentNode = document): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(selector)];
}

export function say(text: string | undefined): void {
  const line = byId('said');
  if (line && text) line.textContent = text;
}

export function showScripted(): void {
  for (const element of all('[data-scripted],[data-copy]')) element.hidden = false;
  for (const element of all('[data-unscripted]')) element.hidden = true;
}

/** A wallet's extension may throw or lie, and the rest of the page goes on. */
export function guarded(task: () => unknown): void {
  try {
    void Promise.resolve(task()).catch(() => undefined);
  } catch {
    // Nothing of the page depends on this task.
  }
}
