const HEIGHT = 64;
const BAR = 20;
const GAP = 4;
/** A day with any takings is seen. */
const LEAST = 2;

type Bar = {
  readonly label: string;
  /** Minor units, base units or a count, all of one kind. */
  readonly value: bigint;
  readonly text: string;
  /** Stands below the bar; none for a bar that its neighbours tell enough of. */
  readonly mark?: string;
};

type BarsProps = {
  readonly label: string;
  /** The headings of the table that says the same in words. */
  readonly headings: readonly [label: string, value: string];
  readonly bars: readonly Bar[];
};

/** A chart that the server draws, with a table beside it for those who do not see it. */
export function Bars({ label, headings, bars }: BarsProps) {
  const most = bars.reduce((highest, { value }) => (value > highest ? value : highest), 0n);
  const width = Math.max(1, bars.length * (BAR + GAP) - GAP);
  return (
    <div class="bars">
      <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none">
        {bars.map(({ label: name, value, text }, index) => {
          const height = heightOf(value, most);
          return (
            <rect key={name} x={index * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height} rx="2">
              <title>
                {name}: {text}
              </title>
            </rect>
          );
        })}
      </svg>
      <p class="marks label" aria-hidden="true">
        {bars.map(({ label: name, mark }) => mark !== undefined && <span key={name}>{mark}</span>)}
      </p>
      <table class="sr">
        <caption>{label}</caption>
        <thead>
          <tr>
            {headings.map(heading => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label: name, text }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function heightOf(value: bigint, most: bigint): number {
  if (value <= 0n || most <= 0n) return 0;
  return Math.max(LEAST, Number((value * BigInt(HEIGHT)) / most));
}
