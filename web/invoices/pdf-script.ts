/** The parts of a font that tell which letters it has. */
export type Font = { readonly hasGlyphForCodePoint: (codePoint: number) => boolean };

/** A text as the PDF can set it: `isLeftward` where all of it runs from right to left. */
type SetText = { readonly text: string; readonly isLeftward: boolean };

/** Marks of a direction, and of a joint: these are no letters, and the font draws none. */
const MARKS = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]/gu;
const LEFTWARD = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Letters that join or run alone from right to left, without digits: those run the other way. */
const LEFTWARD_ALONE = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Mn}\s.,;:!?-]*$/u;
const DIGIT = /\p{Nd}/u;
const BLANK = /\s/u;

/**
 * Null for a text that the fonts have no letters for. Null too for a text that mixes both directions, because the
 * library orders the letters of one direction alone.
 */
export function settable(text: string, fonts: readonly Font[]): SetText | null {
  const plain = text.replace(MARKS, '');
  const has = (character: string) =>
    BLANK.test(character) || fonts.every(font => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
  if (![...plain].every(has)) return null;
  const isLeftward = LEFTWARD.test(plain);
  if (isLeftward && (!LEFTWARD_ALONE.test(plain) || DIGIT.test(plain))) return null;
  return { text: plain, isLeftward };
}
