import { invariant } from '../../../kernel/invariant';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';

/**
 * Texts that repeat, each by a number of its own, for ever. A text is known only once it is durable, so that no transaction that was rolled
 * back leaves an event whose words nobody wrote.
 */
export class Dictionary {
  private readonly ids = new Map<string, number>();
  private readonly texts = new Map<number, string>();
  private readonly missing = new Set<string>();

  /** `limit`: texts that are data would otherwise fill it. */
  constructor(
    private readonly file: EmbeddedFile,
    private readonly table: 'kinds' | 'shapes' | 'contexts',
    private readonly limit: number,
  ) {
    this.load();
  }

  get isFull(): boolean {
    return this.texts.size >= this.limit;
  }

  /** Null when `writeMissing` must be awaited first. */
  idOf(text: string): number | null {
    const id = this.ids.get(text);
    if (id === undefined) this.missing.add(text);
    return id ?? null;
  }

  has(text: string): boolean {
    return this.ids.has(text);
  }

  textOf(id: number): string {
    if (!this.texts.has(id)) this.load();
    const text = this.texts.get(id);
    invariant(text !== undefined, `${this.file.path}: an event names ${this.table} ${id}, which is not there`);
    return text;
  }

  /** Within a write; `load` makes known what it wrote, once that is durable. */
  writeMissing(texts: readonly string[]): void {
    const add = this.file.statement(`insert into ${this.table} (text) values (?) on conflict do nothing`);
    for (const text of texts) add.run(text);
  }

  takeMissing(): readonly string[] {
    const texts = [...this.missing];
    this.missing.clear();
    return texts;
  }

  /** Numbers are given without gaps, so what is new comes after what is known. */
  load(): void {
    const sql = `select id, text from ${this.table} where id > ? order by id`;
    const rows = this.file.read(() => this.file.statement(sql).all(this.texts.size)) as [number, string][];
    for (const [id, text] of rows) {
      this.texts.set(id, text);
      this.ids.set(text, id);
    }
  }
}
