/** How a picture differs from its baseline. The page that compares them answers it. */
export interface PictureComparison {
  /** In words where the sizes differ. */
  readonly sizes: string | null;
  /** The part of all pixels that differs. */
  readonly share: number;
  /** The new picture, pale, with the differing pixels in red: PNG in base64. Null where none differs. */
  readonly difference: string | null;
}
