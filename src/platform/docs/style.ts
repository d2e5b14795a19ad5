export const STYLE = `
:root { color-scheme: light dark; --line: #8886; --accent: #0a6ebd; }
@media (prefers-color-scheme: dark) { :root { --accent: #6cb6f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 0 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
header { padding: 1rem 0; border-bottom: 1px solid var(--line); }
nav a { margin-right: 1.5rem; }
a { color: var(--accent); }
h1 { overflow-wrap: anywhere; font-size: clamp(1.3rem, 7vw, 2rem); line-height: 1.25; }
h2 { margin-top: 2.5rem; font-size: clamp(1.15rem, 5.5vw, 1.5rem); }
h3 { font-size: clamp(1.05rem, 5vw, 1.17rem); }
h2 code { font: inherit; }
table { width: 100%; border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
code, pre, textarea { font: .875rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
td code { overflow-wrap: normal; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid var(--line); }
pre { border-radius: .4rem; }
dt { font-weight: 600; margin-top: .8rem; }
dd { margin: 0; }
.method { display: inline-block; min-width: 3.5rem; font-weight: 700; }
.try-it { display: grid; grid-template-columns: minmax(0, 1fr); gap: .8rem; max-width: 40rem; }
.try-it label { display: grid; gap: .2rem; }
.try-it input, .try-it textarea { width: 100%; padding: .4rem; }
.try-it button { justify-self: start; padding: .5rem 1.2rem; cursor: pointer; }
.try-it input, .try-it button { font: inherit; }
.try-it output pre { margin: 0; }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tbody, tr, td, th { display: block; }
  tbody, td code { overflow-wrap: anywhere; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td, th { padding: .1rem 0; border: 0; }
  td table { padding-left: .8rem; border-left: 2px solid var(--line); }
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
