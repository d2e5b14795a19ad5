import { acceptedRanges } from './accepted-ranges';
import { Language, type MessageKey, type Messages } from './language';

const DEFAULT = 'en';

/** The languages in which pages or mails are written. */
export class Languages<Key extends string = MessageKey> {
  readonly all: readonly Language<Key>[];
  private readonly byCode: ReadonlyMap<string, Language<Key>>;
  /** By the code in lower case. */
  private readonly byTag: ReadonlyMap<string, Language<Key>>;

  /** `files` holds the messages of each language, by its code. */
  constructor(files: Readonly<Record<string, Messages<Key>>>) {
    const codes = Object.keys(files).sort((one, other) => one.localeCompare(other));
    this.all = codes.map(code => new Language(code, files[code] as Messages<Key>));
    this.byCode = new Map(this.all.map(language => [language.code, language]));
    this.byTag = new Map(this.all.map(language => [language.code.toLowerCase(), language]));
  }

  /** The language named on the page's address, otherwise the best of the browser's, otherwise English. */
  chosen(named: string | undefined, acceptLanguage: string | undefined): Language<Key> {
    const asked = named === undefined ? undefined : this.byCode.get(named);
    return asked ?? this.accepted(acceptLanguage) ?? this.english;
  }

  get english(): Language<Key> {
    const found = this.byCode.get(DEFAULT);
    if (!found) throw new Error('there are no English messages');
    return found;
  }

  private accepted(header: string | undefined): Language<Key> | undefined {
    return acceptedRanges(header)
      .map(tag => this.byTag.get(tag) ?? this.byTag.get(tag.split('-')[0] ?? ''))
      .find(language => language !== undefined);
  }
}
