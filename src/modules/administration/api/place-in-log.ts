import { parseStreamName } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';

export type PlaceInLog = { readonly mode: Mode; readonly stream: string };

/** The stream that a text names, where it is one of the category; null for any other text. */
export function placeIn(wanted: string, name: string): PlaceInLog | null {
  try {
    const { universe: mode, category, id: stream } = parseStreamName(name);
    return mode === 'platform' || category !== wanted ? null : { mode, stream };
  } catch {
    return null;
  }
}
