import { hash } from 'node:crypto';
import { BoundedMap } from '../../kernel/bounded-map';
import { HOUR_MS, type Clock } from '../../kernel/clock';
import type { Collection } from '../../kernel/ports/documents';
import { ImageUnavailable, type ImageSource } from '../../kernel/ports/image-source';
import type { Log } from '../../kernel/ports/log';
import type { Mode } from '../../vocabulary/modes';
import type { BrandLogos, Logo, LogoType } from '../../modules/checkout/brand-logos';
import { logoTypeOf } from '../../modules/checkout/logo-type';

/** A larger logo would outweigh the page that shows it. */
export const LOGO_BYTES = 64 * 1_024;
/** A logo that could not be fetched is not asked for again before that. */
const RETRY_MS = HOUR_MS;
const UNDER_WAY_LIMIT = 4;
/** Logos in memory: 4 MiB at most. */
const KEPT_LOGOS = 64;
const DIGEST = /^[0-9a-f]{64}$/;

/** The merchant's logo in a mode: the image at the URL, or nulls where none could be had. */
export type LogoDocument = {
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly url: string;
  /** SHA-256 of the image, as hex. */
  readonly digest: string | null;
  readonly type: LogoType | null;
  readonly base64: string | null;
  /** Milliseconds by the wall's clock. */
  readonly tried_at_ms: number;
};

export const LOGO_COLLECTION = { name: 'brand_logos', indexes: { by_digest: ['digest', 'id'] } } as const;

type Asked = { readonly mode: Mode; readonly merchantId: string; readonly url: string };

/** Logos as documents, one for each merchant and mode: a logo at another URL takes the place of the former one. */
export class StoredBrandLogos implements BrandLogos {
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly kept = new BoundedMap<string, Logo>(KEPT_LOGOS);

  constructor(
    private readonly documents: Collection<LogoDocument>,
    private readonly source: ImageSource,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly log: Log,
  ) {}

  async digestOf(mode: Mode, merchantId: string, url: string): Promise<string | null> {
    const known = (await this.documents.get(idOf(mode, merchantId)))?.body;
    const isOfUrl = known?.url === url;
    if (isOfUrl && known.digest !== null) return known.digest;
    if (!isOfUrl || this.clock.now() - known.tried_at_ms >= RETRY_MS) this.begin({ mode, merchantId, url });
    return null;
  }

  async byDigest(digest: string): Promise<Logo | null> {
    if (!DIGEST.test(digest)) return null;
    const kept = this.kept.get(digest);
    if (kept) return kept;
    const [found] = await this.documents.list({ index: 'by_digest', equals: { digest }, limit: 1 });
    if (!found?.body.type || found.body.base64 === null) return null;
    const logo = { type: found.body.type, bytes: Buffer.from(found.body.base64, 'base64') };
    this.kept.set(digest, logo);
    return logo;
  }

  /** Ends with the fetches that are under way. */
  async fetched(): Promise<void> {
    await Promise.all(this.underWay.values());
  }

  /** Without effect where the merchant's logo is on its way, and where too many logos are. */
  private begin(asked: Asked): void {
    const id = idOf(asked.mode, asked.merchantId);
    if (this.underWay.has(id) || this.underWay.size >= UNDER_WAY_LIMIT) return;
    const fetching = this.fetch(id, asked)
      .catch((error: unknown) => this.log.warn({ err: error, merchant_id: asked.merchantId }, 'A logo was not stored.'))
      .finally(() => this.underWay.delete(id));
    this.underWay.set(id, fetching);
  }

  private async fetch(id: string, { mode, merchantId, url }: Asked): Promise<void> {
    const image = await this.image(mode, merchantId, url);
    const now = this.clock.now();
    const found = image && {
      digest: hash('sha256', image.bytes),
      type: image.type,
      base64: Buffer.from(image.bytes).toString('base64'),
    };
    const none = { digest: null, type: null, base64: null };
    const body = { mode, merchant_id: merchantId, url, ...(found ?? none), tried_at_ms: now };
    await this.documents.put({ id, version: now, body });
  }

  private async image(mode: Mode, merchantId: string, url: string): Promise<Logo | null> {
    try {
      const bytes = await this.source.fetch({ mode, url, mostBytes: LOGO_BYTES });
      const type = logoTypeOf(bytes);
      if (type === null) throw new ImageUnavailable('no_image');
      return { type, bytes };
    } catch (error) {
      if (!(error instanceof ImageUnavailable)) throw error;
      this.log.warn({ merchant_id: merchantId, mode, reason: error.code }, "A merchant's logo could not be fetched.");
      return null;
    }
  }
}

function idOf(mode: Mode, merchantId: string): string {
  return `${mode}.${merchantId}`;
}
