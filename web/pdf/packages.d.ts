declare module 'fontkit' {
  type Direction = 'ltr' | 'rtl';
  export type GlyphRun = {
    readonly glyphs: readonly object[];
    readonly positions: readonly Readonly<Record<string, number>>[];
    readonly advanceWidth: number;
  };
  /** A font of a file. Glyphs that were used remember the characters that they were first used for. */
  export type Font = {
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(text: string, features: readonly string[], script?: string, language?: string, way?: Direction): GlyphRun;
  };
  export function create(bytes: Uint8Array): Font;
}

declare module 'linebreak' {
  /** The places at which a line may end, after Unicode's UAX #14. */
  export default class LineBreaker {
    constructor(text: string);
    /** Null after the last one, which is the text's end. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
