import IntlMessageFormat from 'intl-messageformat';
import { typedMinorUnits } from './typed-amount';
import type english from '../messages/en.json';

/** English has every message; the other languages hold the same keys, as a test proves. */
export type MessageKey = keyof typeof english;
type OwnKey = 'language.name' | 'language.direction';
/** The messages of a file: those of pages, where nothing else is said. */
export type Messages<Key extends string = MessageKey> = Readonly<Record<Key | OwnKey, string>>;
type MessageArguments = Readonly<Record<string, string | number>>;

const MOMENT: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
};

/** A number whose text has every mark of a language, and five digits, since some languages group no four. */
const SAMPLE = 12_345.5;

/** The language that a page or a mail is written in. */
export class Language<Key extends string = MessageKey> {
  private readonly formats = new Map<string, IntlMessageFormat>();
  private readonly numberFormats = new Map<string, Intl.NumberFormat>();
  private readonly locale: string;

  constructor(
    /** As BCP 47 has it, such as `de`. */
    readonly code: string,
    private readonly messages: Messages<Key>,
  ) {
    // Customers compare what they read with a wallet, which counts in these digits and by this calendar.
    this.locale = new Intl.Locale(code, { numberingSystem: 'latn', calendar: 'gregory' }).toString();
  }

  /** The language's own name. */
  get name(): string {
    return this.messages['language.name'];
  }

  get direction(): 'ltr' | 'rtl' {
    return this.messages['language.direction'] === 'rtl' ? 'rtl' : 'ltr';
  }

  /** The message with its arguments filled in. */
  say(key: Key, values: MessageArguments = {}): string {
    let format = this.formats.get(key);
    if (!format) {
      format = new IntlMessageFormat(this.messages[key], this.locale, undefined, { ignoreTag: true });
      this.formats.set(key, format);
    }
    return format.format(values) as string;
  }

  /** An amount of fiat, given as whole minor units, with the sign of its currency. */
  money(minorUnits: string, currency: string, decimals: number): string {
    const fraction = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const options = { style: 'currency', currency, ...fraction } as const;
    return this.numbers(`${currency} ${decimals}`, options).format(decimalText(minorUnits, decimals));
  }

  /** An amount without its currency and without marks between thousands, such as somebody would type it. */
  plainAmount(minorUnits: string, decimals: number): string {
    const fraction = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const format = new Intl.NumberFormat(this.locale, { useGrouping: false, ...fraction });
    return format.format(decimalText(minorUnits, decimals));
  }

  /** The whole minor units of an amount that somebody has typed. Throws the refusals of typedMinorUnits. */
  typedMinorUnits(text: string, currency: string, decimals: number): bigint {
    const partOf = (type: Intl.NumberFormatPartTypes, currencyDisplay: 'symbol' | 'narrowSymbol' = 'symbol') =>
      new Intl.NumberFormat(this.locale, { style: 'currency', currency, currencyDisplay, minimumFractionDigits: 1 })
        .formatToParts(SAMPLE)
        .find(part => part.type === type)?.value ?? '';
    const signs = [partOf('currency'), partOf('currency', 'narrowSymbol')];
    const separators = { decimal: partOf('decimal'), group: partOf('group') };
    return typedMinorUnits(text, separators, { code: currency, decimals, signs });
  }

  /** A format takes longer to make than to use. There is one for each currency at most. */
  private numbers(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const format = this.numberFormats.get(name) ?? new Intl.NumberFormat(this.locale, options);
    this.numberFormats.set(name, format);
    return format;
  }

  /** A whole number of things. */
  count(number: number): string {
    return this.numbers('count', {}).format(number);
  }

  /** A share in basis points, of which 100 are 1%. */
  percent(bps: number): string {
    const options = { style: 'percent', maximumFractionDigits: 2 } as const;
    return this.numbers('percent', options).format(`${bps}E-4` as Intl.StringNumericLiteral);
  }

  /** The day of a moment in a zone of the IANA database, with the month in words. */
  day(milliseconds: number, timeZone: string): string {
    const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone } as const;
    return new Intl.DateTimeFormat(this.locale, day).format(milliseconds);
  }

  /** A moment in UTC, with the month in words and 24 hours, so that it reads in one way only. */
  moment(milliseconds: number): string {
    return `${new Intl.DateTimeFormat(this.locale, MOMENT).format(milliseconds)} UTC`;
  }
}

function decimalText(minorUnits: string, decimals: number): Intl.StringNumericLiteral {
  const sign = minorUnits.startsWith('-') ? '-' : '';
  const digits = minorUnits.slice(sign.length).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${sign}${text}` as Intl.StringNumericLiteral;
}
