/**
 * Sends the form of an operation's page to this same service and shows the answer. The key is read from its field and
 * kept nowhere.
 */
export const TRY_IT_SCRIPT = String.raw`'use strict';

function requestOf(form) {
  const fields = [...form.querySelectorAll('[data-in]')].map(field => ({
    name: field.name,
    place: field.dataset.in,
    value: field.value.trim(),
  }));
  const given = place => fields.filter(field => field.place === place && field.value !== '');
  const headers = {};
  let path = form.dataset.path;
  for (const { name, value } of given('path')) path = path.replace('{' + name + '}', encodeURIComponent(value));
  for (const { name, value } of given('header')) headers[name] = value;
  for (const { value } of given('key')) headers.Authorization = 'Bearer ' + value;
  const query = new URLSearchParams(given('query').map(({ name, value }) => [name, value])).toString();
  const [body] = given('body');
  if (body) headers['Content-Type'] = 'application/json';
  const root = location.pathname.replace(/\/docs\/operations\/.*$/, '');
  return {
    url: root + path + (query && '?' + query),
    options: { method: form.dataset.method, headers, body: body && body.value, credentials: 'omit' },
  };
}

async function send(form, output) {
  const { url, options } = requestOf(form);
  const shown = document.createElement('pre');
  output.replaceChildren(shown);
  shown.textContent = options.method + ' ' + url;
  try {
    const response = await fetch(url, options);
    const text = await response.text();
    const lines = [options.method + ' ' + url, response.status + ' ' + response.headers.get('request-id'), '', text];
    try {
      lines[3] = JSON.stringify(JSON.parse(text), null, 2);
    } catch {}
    shown.textContent = lines.join('\n');
  } catch (error) {
    shown.textContent = 'No answer: ' + error.message;
  }
}

for (const form of document.querySelectorAll('form.try-it')) {
  form.addEventListener('submit', event => {
    event.preventDefault();
    void send(form, form.querySelector('output'));
  });
}
`;
