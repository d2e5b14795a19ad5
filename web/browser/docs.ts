/** The script of the documentation's pages: shows and sends the form of an operation, and copies blocks of code. */
import { startCopying } from './copy';
import { showScripted } from './page-parts';

type Field = { readonly name: string; readonly place: string; readonly value: string };
type Call = { readonly url: string; readonly options: RequestInit & { readonly method: string } };

function fieldsOf(form: HTMLFormElement): readonly Field[] {
  const inputs = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-in]')];
  const fields = inputs.map(({ dataset, value }) => ({
    name: dataset.name ?? '',
    place: dataset.in ?? '',
    value: value.trim(),
  }));
  return fields.filter(({ value }) => value !== '');
}

/** The call that the form's fields make. The key is read from its field, and is kept nowhere. */
function callOf(form: HTMLFormElement): Call {
  const fields = fieldsOf(form);
  const given = (place: string) => fields.filter(field => field.place === place);
  const headers: Record<string, string> = {};
  let path = form.dataset.path ?? '';
  for (const { name, value } of given('path')) path = path.replace(`{${name}}`, encodeURIComponent(value));
  for (const { name, value } of given('header')) headers[name] = value;
  for (const { value } of given('key')) headers.Authorization = `Bearer ${value}`;
  const query = new URLSearchParams(given('query').map(({ name, value }) => [name, value])).toString();
  const [body] = given('body');
  if (body) headers['Content-Type'] = 'application/json';
  // A proxy may serve the service below a path of its own.
  const [root = ''] = location.pathname.split('/docs/operations/');
  const { method = 'GET' } = form.dataset;
  return {
    url: root + path + (query && `?${query}`),
    options: { method, headers, body: body?.value, credentials: 'omit' },
  };
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(form: HTMLFormElement, output: Element): Promise<void> {
  const { url, options } = callOf(form);
  const shown = document.createElement('pre');
  output.replaceChildren(shown);
  const first = `${options.method} ${url}`;
  shown.textContent = first;
  try {
    const response = await fetch(url, options);
    const text = readable(await response.text());
    shown.textContent = [first, `${response.status} ${response.headers.get('request-id') ?? ''}`, '', text].join('\n');
  } catch (error) {
    shown.textContent = `No answer: ${error instanceof Error ? error.message : ''}`;
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form.try-it')) {
  form.addEventListener('submit', event => {
    event.preventDefault();
    const output = form.querySelector('output');
    if (output) void send(form, output);
  });
}

showScripted();
startCopying();
