import { setArrival, setRight } from './countdown';
import { all, byId, say } from './page-parts';

/**
 * Brings the page up to its newest rendering. A region is an element with `id` and `data-live` that lies in `main` and
 * in no other region. Each region that differs is swapped as a whole. Where the set of regions differs, `main` is.
 *
 * - Parts that each rendering makes anew are no difference: timers, `[data-countdown]`, the value of `[data-fresh]`.
 *   Hidden fields of a form's id and token have `data-fresh`.
 * - A region in which somebody types waits until the field is left.
 * - Kept by their `id`: focus, selection, values typed, choices made, an open `<details>`.
 * - Kept by their place among others of their kind: the focus of a link without an id, and how far a table is scrolled.
 *   Such a table takes the focus itself.
 * - `data-said` of a region goes to the polite line when it has changed.
 */
type Region = HTMLElement;
const renderings = new WeakMap<Region, string>();
const FIELDS = 'input[id],textarea[id],select[id]';
const STOPS = 'a,button,[tabindex]';
type Field = HTMLInputElement;

function regionsOf(root: ParentNode): Region[] {
  return all('[id][data-live]', root).filter(region => !region.parentElement?.closest('[data-live]'));
}

/** The region as the server rendered it, without what differs each time. */
function rendering(region: Region): string {
  const copy = region.cloneNode(true) as Region;
  for (const timer of all('[data-ends]', copy)) {
    delete timer.dataset['now'];
    timer.textContent = '';
  }
  for (const changing of all('[data-countdown],[data-fresh]', copy)) changing.removeAttribute('value');
  return copy.outerHTML;
}

/** Before any script changes the page: regions are compared with what the server had sent. */
export function rememberRegions(): void {
  for (const region of regionsOf(document)) renderings.set(region, rendering(region));
}

function typedIn(): Field | null {
  const field = document.activeElement as Field | null;
  const isText = field !== null && /^(INPUT|TEXTAREA)$/.test(field.tagName) && !isChoice(field);
  return isText && field.value !== field.defaultValue ? field : null;
}

function isChoice({ type }: Field): boolean {
  return type === 'radio' || type === 'checkbox';
}

function replace(old: HTMLElement, fresh: HTMLElement, arrivedMs: number): void {
  const focused = document.activeElement as Field | null;
  const held = old.contains(focused) ? focused : null;
  const selection = held && 'selectionStart' in held ? ([held.selectionStart, held.selectionEnd] as const) : null;
  const stops = all(STOPS, old);
  const scrolled = stops.map(({ scrollLeft }) => scrollLeft);
  const fields = all(FIELDS, old) as Field[];
  const details = all('details[id]', old) as HTMLDetailsElement[];
  const next = document.importNode(fresh, true);
  setArrival(next, arrivedMs);
  old.replaceWith(next);
  for (const field of fields) carryOver(field, byId(field.id) as Field | null);
  for (const { id, open } of details) (byId(id) as HTMLDetailsElement | null)?.toggleAttribute('open', open);
  const successors = all(STOPS, next);
  for (const [place, stop] of successors.entries()) stop.scrollLeft = scrolled[place] ?? 0;
  if (held) giveFocus(byId(held.id) ?? successors[stops.indexOf(held)] ?? next, selection);
}

function carryOver(field: Field, next: Field | null): void {
  if (!next || field.type === 'hidden') return;
  if (isChoice(field)) {
    if (field.checked !== field.defaultChecked) next.checked = field.checked;
  } else if (field.value !== field.defaultValue) next.value = field.value;
}

function giveFocus(element: HTMLElement, selection: readonly [number | null, number | null] | null): void {
  element.focus({ preventScroll: true });
  if (document.activeElement !== element) {
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
  // Fields of some types have no selection, and say so by null.
  if (selection && selection[0] !== null) (element as Field).setSelectionRange(...selection);
}

/** False: a part waits for somebody who types. `arrivedMs` is when the answer came. */
export function swap(fresh: Document, arrivedMs: number): boolean {
  const old = regionsOf(document);
  const typing = typedIn();
  const ids = (regions: Region[]): string => regions.map(({ id }) => id).join();
  const main = document.querySelector('main');
  const freshMain = fresh.querySelector('main');
  const freshRegions = regionsOf(fresh);
  const differs = ids(old) !== ids(freshRegions);
  const said = new Map(old.map(({ id, dataset }) => [id, dataset['said']]));
  let waits = false;
  const isTyped = (part: HTMLElement): boolean => typing !== null && part.contains(typing);
  if (differs && main && freshMain && !isTyped(main)) {
    const sent = freshRegions.map(rendering);
    replace(main, freshMain, arrivedMs);
    regionsOf(document).forEach((region, index) => renderings.set(region, sent[index] ?? ''));
  } else {
    waits = differs;
    for (const region of old) {
      const next = freshRegions.find(({ id }) => id === region.id);
      if (!next) continue;
      const sent = rendering(next);
      if (sent === renderings.get(region)) setRight(region, next, arrivedMs);
      else if (isTyped(region)) waits = true;
      else {
        replace(region, next, arrivedMs);
        renderings.set(byId(region.id) as Region, sent);
      }
    }
  }
  const now = regionsOf(document).find(({ id, dataset }) => dataset['said'] && dataset['said'] !== said.get(id));
  say(now?.dataset['said']);
  document.title = fresh.title;
  return !waits;
}
