import { isolated } from '../../web/parts/isolate';
import { Language } from '../../web/words/language';
import { ENGLISH, FILES } from './message-files';

const CODES = ['en', 'de', 'es', 'fr', 'ar', 'zh'] as const;
const languageOf = (code: string) => new Language(code, FILES[code] ?? ENGLISH);
/** Narrow and unbreakable blanks differ between releases of the data, and so do the marks of a direction. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f\u061c]/g, '');

describe('money', () => {
  it.each([
    ['en', '¥1,235', 'KWD 1,234.567', '€1,234.50'],
    ['de', '1.235 ¥', '1.234,567 KWD', '1.234,50 €'],
    ['es', '1235 JPY', '1234,567 KWD', '1234,50 €'],
    ['fr', '1 235 JPY', '1 234,567 KWD', '1 234,50 €'],
    ['ar', '1,235 JP¥', '1,234.567 د.ك.', '1,234.50 €'],
    ['zh', 'JP¥1,235', 'KWD 1,234.567', '€1,234.50'],
  ])('in %s', (code, yen, dinar, euro) => {
    const language = languageOf(code);
    expect(plain(language.money('1235', 'JPY', 0))).toBe(yen);
    expect(plain(language.money('1234567', 'KWD', 3))).toBe(dinar);
    expect(plain(language.money('123450', 'EUR', 2))).toBe(euro);
  });

  it('is below zero where it is taken off', () => {
    expect(languageOf('en').money('-5', 'EUR', 2)).toBe('-€0.05');
    expect(languageOf('en').money('-1235', 'JPY', 0)).toBe('-¥1,235');
  });

  it('is exact beyond what a float can hold, and below one', () => {
    expect(languageOf('en').money('123456789012345678901', 'EUR', 2)).toBe('€1,234,567,890,123,456,789.01');
    expect(languageOf('en').money('5', 'EUR', 2)).toBe('€0.05');
    expect(languageOf('en').money('0', 'KWD', 3)).toContain('0.000');
  });
});

describe('a share, a number and a day', () => {
  it.each([
    ['en', '5.25%', '1,000', 'December 2, 2026'],
    ['de', '5,25 %', '1.000', '2. Dezember 2026'],
    ['fr', '5,25 %', '1 000', '2 décembre 2026'],
    ['zh', '5.25%', '1,000', '2026年12月2日'],
  ])('in %s', (code, share, number, day) => {
    const language = languageOf(code);
    expect(plain(language.percent(525))).toBe(share);
    expect(plain(language.count(1_000))).toBe(number);
    // Paris has the next day already.
    expect(plain(language.day(Date.parse('2026-12-01T23:30:00.000Z'), 'Europe/Paris'))).toBe(day);
  });

  it('are exact to the basis point', () => {
    const english = languageOf('en');
    expect([0, 1, 29, 1_900, 9_999, 10_000].map(bps => english.percent(bps))).toEqual([
      '0%', '0.01%', '0.29%', '19%', '99.99%', '100%',
    ]); // prettier-ignore
  });
});

describe('a moment', () => {
  it.each([
    ['en', 'Nov 8, 2026, 23:06 UTC'],
    ['de', '8. Nov. 2026, 23:06 UTC'],
    ['es', '8 nov 2026, 23:06 UTC'],
    ['fr', '8 nov. 2026, 23:06 UTC'],
    ['ar', '8 نوفمبر 2026، 23:06 UTC'],
    ['zh', '2026年11月8日 23:06 UTC'],
  ])('in %s', (code, text) => {
    expect(plain(languageOf(code).moment(Date.UTC(2026, 10, 8, 23, 6, 59)))).toBe(text);
  });

  it('has midnight at the start of a day', () => {
    for (const code of CODES) expect(languageOf(code).moment(Date.UTC(2026, 10, 8))).toContain('00:00 UTC');
  });
});

test.each(['ar', 'ar-EG', 'fa', 'ne', 'th'])('digits and years are those of a wallet in %s', code => {
  const language = new Language(code, FILES.ar ?? ENGLISH);
  expect(language.say('confirming.sentence', { count: 3, required: 12 })).toBe('عدد التأكيدات: 3 من 12.');
  expect(language.money('123450', 'EUR', 2)).toMatch(/1[,٬]?234[.٫]50/);
  expect(language.moment(Date.UTC(2026, 10, 8, 23, 6))).toMatch(/2026.*23:06 UTC$/);
});

describe('a sentence', () => {
  it.each([
    ['en', '1 of 1 confirmation.', '3 of 12 confirmations.', '0 of 1,000 confirmations.'],
    ['de', '1 von 1 Bestätigung.', '3 von 12 Bestätigungen.', '0 von 1.000 Bestätigungen.'],
    ['es', '1 de 1 confirmación.', '3 de 12 confirmaciones.', '0 de 1000 confirmaciones.'],
    ['fr', '1 sur 1 confirmation.', '3 sur 12 confirmations.', '0 sur 1 000 confirmations.'],
    ['ar', 'عدد التأكيدات: 1 من 1.', 'عدد التأكيدات: 3 من 12.', 'عدد التأكيدات: 0 من 1,000.'],
    ['zh', '确认数：1 / 1。', '确认数：3 / 12。', '确认数：0 / 1,000。'],
  ])('counts in %s', (code, one, some, none) => {
    const say = (count: number, required: number) =>
      plain(languageOf(code).say('confirming.sentence', { count, required }));
    expect([say(1, 1), say(3, 12), say(0, 1_000)]).toEqual([one, some, none]);
  });

  it.each([
    '{shop}',
    '{count, plural, other {#}}',
    "'{'",
    '}}{{',
    '# 1',
    '<b>bold</b>',
    '<script>alert(1)</script>',
    '$& $1 $`',
    '',
  ])('takes the name %j as it is', name => {
    for (const code of CODES) {
      const said = languageOf(code).say('confirmed.sentence', { shop: isolated(name) });
      expect(said).toContain(`\u2068${name}\u2069`);
      expect(said).toBe(
        languageOf(code)
          .say('confirmed.sentence', { shop: '@' })
          .replace('@', () => isolated(name)),
      );
    }
  });

  it('stays as it is around a name that would turn it', () => {
    expect(isolated('\u2069\u202e12.50\u2066\u2068')).toBe('\u206812.50\u2069');
    expect(isolated('متجر \u200fShop')).toBe('\u2068متجر \u200fShop\u2069');
  });

  it('keeps what stands in its place for the page’s script', () => {
    for (const code of CODES)
      expect(languageOf(code).say('wallet.connect', { wallet: '{wallet}' })).toContain('{wallet}');
  });

  it('fails loudly where an argument is missing', () => {
    expect(() => languageOf('en').say('confirmed.sentence')).toThrow('shop');
  });

  it('keeps the order of an equation that runs from left to right', () => {
    const rate = { currency: 'EUR', rate: isolated('1.0861'), asset: 'USDC' };
    expect(languageOf('ar').say('checkout.rate_value', rate)).toBe('\u20661 EUR = \u20681.0861\u2069 USDC\u2069');
  });
});
