/** Ids, times, ports and durations differ from run to run: each is shown as one text of its kind. */
const ID = /\b(req|mch|key)_[0-9a-z]{26}\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const PORT = /(127\.0\.0\.1):\d+/g;
/** The dashboard's own: pages of documentation have examples with ids and moments, which are the same in each run. */
const OF_DASHBOARD: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z]+)_[0-9a-z]{25,26}\b/g, '$1_01kb3x5q0g7h2m9c4r8v6t1zny'],
  [/\b([prs]k_test_…)\w{4}/g, '$17x2K'],
  [/\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d\.\d{3}/g, '18 Nov 2026, 11:06:40.000'],
  [/\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d(?!:)/g, '18 Nov 2026, 11:06'],
  [/\d{1,2} [A-Z][a-z]{2} \d{4}(?!,)/g, '18 Nov 2026'],
  // The axis of a chart.
  [/^\d{1,2} [A-Z][a-z]{2}$/g, '5 Nov'],
  [/"created": \d{10}/g, '"created": 1795000000'],
  [/(localhost):\d+/g, '$1:8080'],
  [/\b\d+ ms\b/g, '7 ms'],
  [/(Nonce: )[0-9a-f]+/g, '$10e8ff4679006e12ce31243fb798dae62'],
];
/** The digest of a body with an id differs with the id. */
const DIGEST = /\b[0-9a-f]{64}\b/g;
/** The quiet zone of a code, in modules. */
const EDGE = 4;
const isDashboard = document.querySelector('.side, .entry') !== null;
const isConsole = document.querySelector('.operator-bar') !== null;

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text; text = texts.nextNode()) {
  const parent = text.parentElement;
  const term = parent?.previousElementSibling?.textContent;
  text.nodeValue =
    term === 'ms'
      ? '7'
      : (text.nodeValue ?? '')
          .replace(ID, (_, kind: string) => `${kind}_01kb3x5q0g7h2m9c4r8v6t1zny`)
          .replace(TIME, '2026-11-18T11:06:40.000Z')
          .replace(PORT, (_, host: string) => `${host}:8080`);
  if (isConsole) text.nodeValue = text.nodeValue.replace(DIGEST, 'd'.repeat(64));
  if (!isDashboard) continue;
  for (const [found, fixed] of OF_DASHBOARD) text.nodeValue = text.nodeValue.replaceAll(found, fixed);
  if (parent?.role === 'timer') text.nodeValue = '29:30';
}
// A form of the console holds the id of its object.
if (isConsole)
  document.querySelectorAll('input').forEach(input => {
    input.value = input.value.replace(/\b([a-z]+)_[0-9a-z]{25,26}\b/g, '$1_01kb3x5q0g7h2m9c4r8v6t1zny');
  });
// The form of a statement names the month that it is.
document.querySelectorAll<HTMLInputElement>('.side ~ main input[name=month]').forEach(input => {
  input.value = '2026-11';
});
// The code of an address differs with the id in it.
if (isDashboard)
  document.querySelectorAll<SVGPathElement>('.qr-code').forEach(code => {
    const side = (code.ownerSVGElement?.viewBox.baseVal.width ?? 0) - 2 * EDGE;
    code.setAttribute('d', `M${EDGE} ${EDGE}h${side}v${side}h${-side}z`);
  });
export {};
