import jsqr from 'jsqr';
import { renderToString } from 'preact-render-to-string';
import { Address } from '../../web/parts/address';
import { firstDifference, TokenAmount } from '../../web/parts/amount';
import { Countdown } from '../../web/parts/countdown';
import { Qr } from '../../web/parts/qr';
import { ADDRESS, PAY_URI } from './checkout-views';

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '');

describe('an amount', () => {
  test.each([
    ['27.153040', '27.153000', 7],
    ['27.160000', '27.150000', 4],
    ['100.000001', '99.999990', 0],
    ['27.153000', '27.153000', 9],
    ['3.5', '3.50', 3],
  ])('%s differs from the price %s from the place %i on', (amount, price, at) => {
    expect(firstDifference(amount, price)).toBe(at);
  });

  test('is whole where it is selected, its own digits set apart', () => {
    const html = renderToString(<TokenAmount amount="27.153040" price="27.153000" asset="USDC" />);
    expect(textOf(html)).toBe('27.153040 USDC');
    expect(html).toContain('<b class="own-digits">40</b>');
    expect(html).toContain('dir="ltr"');
  });

  test('of a remainder has no digits of its own', () => {
    const html = renderToString(<TokenAmount amount="7.153211" price={null} asset="USDC" />);
    expect(html).not.toContain('own-digits');
  });
});

describe('an address', () => {
  test.each([[ADDRESS], ['TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj']])('%s is whole in groups of four', address => {
    const html = renderToString(<Address address={address} />);
    expect(textOf(html)).toBe(address);
    expect(html.match(/<(?:b|span)>[^<]{1,4}</g)?.map(group => group.replace(/<[^>]*>|</g, ''))).toStrictEqual(
      address.match(/.{1,4}/g),
    );
  });
});

describe('a code', () => {
  test.each([[ADDRESS], [PAY_URI], ['tron:TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj?amount=27.153040']])(
    'is read back as %s exactly',
    text => {
      const html = renderToString(<Qr text={text} label="Code" />);
      expect(html).toContain('role="img"');
      expect(html).toMatch(/<path class="qr-ground" fill="#fff" /);
      const { pixels, edge } = drawn(html);
      expect(jsqr(pixels, edge, edge)?.data).toBe(text);
    },
  );
});

/** Each module as a square of pixels, as the path's runs draw them. */
function drawn(html: string): { pixels: Uint8ClampedArray; edge: number } {
  const SCALE = 4;
  const size = Number(/viewBox="0 0 (\d+)/.exec(html)?.[1]);
  const edge = size * SCALE;
  const pixels = new Uint8ClampedArray(edge * edge * 4).fill(255);
  const path = /class="qr-code" d="([^"]*)"/.exec(html)?.[1] ?? '';
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row++)
      for (let column = Number(x) * SCALE; column < (Number(x) + Number(width)) * SCALE; column++)
        pixels.fill(0, (row * edge + column) * 4, (row * edge + column) * 4 + 3);
  return { pixels, edge };
}

test.each([
  [600_000, '10:00'],
  [599_001, '10:00'],
  [59_000, '0:59'],
  [86_400_000, '24:00:00'],
  [3_661_000, '1:01:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('a countdown of %i ms shows %s', (leftMs, shown) => {
  expect(textOf(renderToString(<Countdown endsMs={leftMs} nowMs={0} />))).toBe(shown);
});
