import { accentsOf } from '../../src/modules/checkout/accent';
import { brandStyle } from '../../web/checkout/brand-style';

test('a shop’s accent is set in both themes, as it can be read there', () => {
  const { light, dark } = accentsOf('#1f6feb') ?? {};
  expect(brandStyle('#1f6feb')).toBe(
    `:root:root{--accent:${light};--accent-hover:${light}}` +
      `@media screen and (prefers-color-scheme:dark){:root:root{--accent:${dark};--accent-hover:${dark}}}`,
  );
});

test.each(['#12345', 'red', '#123456;}', ''])('%j is no colour', color => expect(brandStyle(color)).toBeNull());
