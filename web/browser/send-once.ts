/**
 * `<form data-once>` is sent once while its answer is under way. The second of two quick clicks would show its own
 * answer in place of the first one's, which alone may hold a secret.
 */
const PAUSE_MS = 5_000;

export function sendOnce(): void {
  const sent = new WeakSet<EventTarget>();
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || !('once' in form.dataset)) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), PAUSE_MS);
  });
}
