/** The parts of a line of a guide. */
export type GuideText =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly parts: readonly GuideText[] }
  | { readonly kind: 'link'; readonly href: string; readonly parts: readonly GuideText[] }
  | { readonly kind: 'break' };

/** The parts of a guide. */
export type GuideBlock =
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly id: string;
      /** The heading's words, without their marks. */
      readonly text: string;
      readonly parts: readonly GuideText[];
    }
  | { readonly kind: 'paragraph' | 'line'; readonly parts: readonly GuideText[] }
  | { readonly kind: 'code'; readonly label: string; readonly isUntested: boolean; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly GuideBlock[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly GuideBlock[] }
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly headings: readonly string[];
      readonly rows: readonly (readonly (readonly GuideText[])[])[];
    };

export type Guide = { readonly title: string; readonly blocks: readonly GuideBlock[] };
