/**
 * `<form method="get" data-asks>` asks for the page of its fields while somebody types or moves a slider, without a
 * button. The address follows, so that a reload and a link show the same.
 */
const PAUSE_MS = 200;

function addressOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]]));
  const query = new URLSearchParams(fields).toString();
  return form.action.split('?', 1)[0] + (query && `?${query}`);
}

export function startAsking(look: () => void): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const ask = (form: HTMLFormElement): void => {
    const address = addressOf(form);
    if (address === location.href) return;
    document.body.dataset['page'] = address;
    history.replaceState(null, '', address);
    look();
  };
  const formOf = ({ target }: Event): HTMLFormElement | null =>
    target instanceof Element ? target.closest<HTMLFormElement>('form[data-asks]') : null;
  document.addEventListener('input', event => {
    const form = formOf(event);
    clearTimeout(waiting);
    if (form) waiting = setTimeout(() => ask(form), PAUSE_MS);
  });
  document.addEventListener('submit', event => {
    const form = formOf(event);
    if (!form) return;
    event.preventDefault();
    ask(form);
  });
}
