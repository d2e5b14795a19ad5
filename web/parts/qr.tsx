import { correction, generate } from 'lean-qr';
import { BoundedMap } from '../../src/kernel/bounded-map';

/** Modules of white around the code, as the standard asks. */
const QUIET = 4;
const KEPT = 1_000;
/** Drawing takes most of a page's time, and a page is drawn again at each change. */
const drawn = new BoundedMap<string, Drawing>(KEPT);

type Drawing = { readonly size: number; readonly path: string };

/** A code to scan that holds `text` exactly. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = drawing(text);
  const edge = size + 2 * QUIET;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${edge} ${edge}`} shape-rendering="crispEdges">
      {/* Without its style, which a bad network may lose, the ground would be as black as the code. */}
      <path class="qr-ground" fill="#fff" d={`M0 0h${edge}v${edge}H0z`} />
      <path class="qr-code" d={path} />
    </svg>
  );
}

function drawing(text: string): Drawing {
  const known = drawn.get(text);
  if (known) return known;
  const made = draw(text);
  drawn.set(text, made);
  return made;
}

/** One path of horizontal runs. */
function draw(text: string): Drawing {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const runs: string[] = [];
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      const start = x;
      while (x < code.size && code.get(x, y)) x++;
      runs.push(`M${start + QUIET} ${y + QUIET}h${x - start}v1h-${x - start}z`);
    }
  }
  return { size: code.size, path: runs.join('') };
}
