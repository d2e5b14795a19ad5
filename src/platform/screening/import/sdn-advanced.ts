import type { ListedText, ParsedList } from './parsed-list';
import { XmlReader } from './xml-reader';

const ROOT = 'Sanctions';
const TYPE_PREFIX = 'Digital Currency Address - ';
const MAX_TYPES = 1_000;
const MAX_ADDRESSES = 100_000;
const MAX_TEXT_LENGTH = 500;
/** A tag under which only addresses of these networks' form can stand. */
const STRICT_TAGS: readonly string[] = ['ARB', 'BSC', 'ETC', 'ETH', 'TRX'];

type Party = { readonly fixedRef: string; readonly profile: string };
type Feature = { readonly tag: string; readonly line: number; addresses: number };

/**
 * The digital currency addresses of OFAC's `sdn_advanced.xml`. The reference values there name feature types such as
 * `Digital Currency Address - XBT`. Each `Feature` of such a type holds the address in its `VersionDetail`. An address
 * is taken under every tag. `write` and `end` throw ImportFault naming the line.
 */
export class SdnAdvancedReader {
  private readonly xml: XmlReader;
  private readonly path: string[] = [];
  private readonly tagById = new Map<string, string>();
  private readonly found: ListedText[] = [];
  private readonly issued = new Map<string, string>();
  private text = '';
  private typeId: string | null = null;
  private party: Party = { fixedRef: '', profile: '' };
  private feature: Feature | null = null;

  constructor() {
    this.xml = new XmlReader({
      open: (name, attributes) => this.open(name, attributes),
      text: text => this.read(text),
      close: name => this.close(name),
    });
  }

  write(chunk: string): void {
    this.xml.write(chunk);
  }

  end(): ParsedList {
    this.xml.end();
    if (this.tagById.size === 0) throw this.xml.fault(`no FeatureType is a ${TYPE_PREFIX.trim()}…`);
    return { addresses: this.found, publishedOn: this.publishedOn() };
  }

  private open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.path.length === 0 && name !== ROOT) throw this.xml.fault(`the first element is ${name}, not ${ROOT}`);
    this.path.push(name);
    this.text = '';
    if (name === 'FeatureType') this.typeId = this.needed(name, 'ID', attributes);
    if (name === 'DistinctParty') this.party = { fixedRef: this.needed(name, 'FixedRef', attributes), profile: '' };
    if (name === 'Profile') this.party = { ...this.party, profile: this.needed(name, 'ID', attributes) };
    if (name !== 'Feature') return;
    const tag = this.tagById.get(this.needed(name, 'FeatureTypeID', attributes));
    this.feature = tag === undefined ? null : { tag, line: this.xml.line, addresses: 0 };
  }

  private read(text: string): void {
    if (!this.isText()) return;
    this.text += text;
    if (this.text.length > MAX_TEXT_LENGTH)
      throw this.xml.fault(`${this.path.at(-1)} is longer than ${MAX_TEXT_LENGTH}`);
  }

  private isText(): boolean {
    const [name, parent] = [this.path.at(-1), this.path.at(-2)];
    return name === 'FeatureType' || parent === 'DateOfIssue' || (name === 'VersionDetail' && this.feature !== null);
  }

  private close(name: string): void {
    const text = this.text.trim();
    if (name === 'FeatureType') this.addType(text);
    if (name === 'VersionDetail' && this.feature !== null) this.addAddress(this.feature, text);
    if (name === 'Feature' && this.feature !== null) {
      if (this.feature.addresses === 0)
        throw this.xml.fault(`the Feature of line ${this.feature.line} has no VersionDetail`);
      this.feature = null;
    }
    this.path.pop();
    if (this.path.at(-1) === 'DateOfIssue' && this.path.length === 2) this.issued.set(name, text);
    this.text = '';
  }

  private addType(text: string): void {
    const id = this.typeId;
    this.typeId = null;
    if (id === null || !text.startsWith(TYPE_PREFIX)) return;
    // Features that were read before their type was named would have been skipped.
    if (this.party.fixedRef !== '') throw this.xml.fault('a FeatureType stands behind the first DistinctParty');
    if (this.tagById.size >= MAX_TYPES) throw this.xml.fault(`there are more than ${MAX_TYPES} FeatureTypes`);
    this.tagById.set(id, text.slice(TYPE_PREFIX.length));
  }

  private addAddress(feature: Feature, text: string): void {
    if (text === '') throw this.xml.fault('VersionDetail is empty');
    if (this.found.length >= MAX_ADDRESSES) throw this.xml.fault(`there are more than ${MAX_ADDRESSES} addresses`);
    feature.addresses += 1;
    const { fixedRef, profile } = this.party;
    const reference = `party ${fixedRef}, profile ${profile}, ${feature.tag}`;
    this.found.push({ text, line: this.xml.line, reference, mustBeOurs: STRICT_TAGS.includes(feature.tag) });
  }

  private needed(name: string, attribute: string, attributes: ReadonlyMap<string, string>): string {
    const value = attributes.get(attribute) ?? '';
    if (value === '') throw this.xml.fault(`${name} has no ${attribute}`);
    return value;
  }

  private publishedOn(): string | null {
    const [year, month, day] = ['Year', 'Month', 'Day'].map(part => this.issued.get(part) ?? '');
    const date = `${year?.padStart(4, '0')}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
    return /^\d{4}-\d\d-\d\d$/.test(date) && year !== '' ? date : null;
  }
}
