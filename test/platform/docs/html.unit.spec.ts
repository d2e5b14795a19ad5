import { html } from '../../../src/platform/docs/html';

it('escapes every value, in text and in attributes', () => {
  const hostile = `<img src=x onerror='a'>"&`;
  expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&#39;a&#39;&gt;&quot;&amp;">&lt;img src=x onerror=&#39;a&#39;&gt;&quot;&amp;</p>',
  );
});

it('takes over what is a page already, lists of it included, and leaves null out', () => {
  const parts = [html`<b>${1}</b>`, html`<b>${'<'}</b>`];
  expect(html`<p>${parts}${null}${[]}</p>`.text).toBe('<p><b>1</b><b>&lt;</b></p>');
});
