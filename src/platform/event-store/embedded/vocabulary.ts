import type { Actor } from '../../../kernel/event';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import { Dictionary } from './dictionary';

/** There are as many kinds as the program has types of events. */
const KIND_LIMIT = Number.POSITIVE_INFINITY;
const SHAPE_LIMIT = 4_096;
const SHAPE_KEYS_LIMIT = 64;
const SHAPE_TEXT_LIMIT = 2_048;
const CONTEXT_LIMIT = 16_384;

/** Stands for a shape or context that is written out in the event. */
export const WRITTEN_OUT = -1;

export type Context = { readonly actor: Actor; readonly merchant_id: string | null };

/**
 * What events name by number: their kind (category and type), the key lists of their objects, and who acted for which merchant. An answer
 * of null means that `learn` must be awaited first.
 */
export class Vocabulary {
  private readonly kinds: Dictionary;
  private readonly shapes: Dictionary;
  private readonly contexts: Dictionary;
  private readonly types = new Map<number, string>();
  private readonly keyLists = new Map<number, readonly string[]>();

  constructor(private readonly file: EmbeddedFile) {
    this.kinds = new Dictionary(file, 'kinds', KIND_LIMIT);
    this.shapes = new Dictionary(file, 'shapes', SHAPE_LIMIT);
    this.contexts = new Dictionary(file, 'contexts', CONTEXT_LIMIT);
  }

  kindId(category: string, type: string): number | null {
    return this.kinds.idOf(JSON.stringify([category, type]));
  }

  typeOf(kind: number): string {
    let type = this.types.get(kind);
    if (type === undefined) {
      [, type] = JSON.parse(this.kinds.textOf(kind)) as [string, string];
      this.types.set(kind, type);
    }
    return type;
  }

  shapeId(keys: readonly string[]): number | null {
    const text = JSON.stringify(keys);
    // Assigning the key `__proto__` would set a prototype.
    const isOdd = keys.length > SHAPE_KEYS_LIMIT || text.length > SHAPE_TEXT_LIMIT || keys.includes('__proto__');
    return isOdd ? WRITTEN_OUT : this.idUnlessFull(this.shapes, text);
  }

  keysOf(shape: number): readonly string[] {
    let keys = this.keyLists.get(shape);
    if (keys === undefined) {
      keys = JSON.parse(this.shapes.textOf(shape)) as string[];
      this.keyLists.set(shape, keys);
    }
    return keys;
  }

  contextId({ actor, merchant_id }: Context): number | null {
    return this.idUnlessFull(this.contexts, JSON.stringify({ actor, merchant_id }));
  }

  /** A new object each time, since events are handed out. */
  contextOf(id: number): Context {
    return JSON.parse(this.contexts.textOf(id)) as Context;
  }

  /** Writes the words that were asked for and not known. */
  async learn(): Promise<void> {
    const asked = [this.kinds, this.shapes, this.contexts].map(dictionary => ({
      dictionary,
      texts: dictionary.takeMissing(),
    }));
    await this.file.write(() => {
      for (const { dictionary, texts } of asked) dictionary.writeMissing(texts);
    });
    for (const { dictionary } of asked) dictionary.load();
  }

  private idUnlessFull(dictionary: Dictionary, text: string): number | null {
    return dictionary.isFull && !dictionary.has(text) ? WRITTEN_OUT : dictionary.idOf(text);
  }
}
