import { formatUnits } from './money';

/** The form of a code of ISO 4217, whether the list has the code or not. */
export const CURRENCY_CODE = /^[A-Z]{3}$/;

/**
 * ISO 4217 list one, active codes by their minor unit's exponent. Left out: codes without an exponent (metals, drawing
 * rights, test codes) and codes that were withdrawn, the latest ANG (2025) and BGN (2026).
 */
const CODES_BY_EXPONENT: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
    CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG
    HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR
    MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG
    SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES
    WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(exponent)]),
  ),
);

/**
 * The number of decimals that the currency's minor unit has (JPY 0, USD 2, KWD 3, CLF 4). Null for a code that ISO 4217
 * does not list as active.
 */
export function currencyDecimals(code: string): number | null {
  return EXPONENTS.get(code) ?? null;
}

/** `('2550', 'EUR')` → '25.50 EUR'. An amount of an unknown currency is told in minor units. */
export function moneyText(minorUnits: string, currency: string): string {
  const decimals = currencyDecimals(currency);
  if (decimals === null) return `${minorUnits} minor units of ${currency}`;
  return `${formatUnits(BigInt(minorUnits), decimals, decimals)} ${currency}`;
}
