const GROUP_LENGTH = 4;
const GROUPS = /.{1,4}/g;

/** An address in groups of four, its ends set apart: people compare them with the wallet's. */
export function Address({ address }: { readonly address: string }) {
  const groups = address.match(GROUPS) ?? [];
  const shown = address.length % GROUP_LENGTH;
  const tail = shown === 0 ? 1 : 2;
  return (
    <bdi dir="ltr" class="address">
      {groups.map((group, index) =>
        index < 2 || index >= groups.length - tail ? <b key={index}>{group}</b> : <span key={index}>{group}</span>,
      )}
    </bdi>
  );
}

/** A transaction's hash: its whole text, free to break. */
export function Hash({ hash }: { readonly hash: string }) {
  return (
    <bdi dir="ltr" class="hash">
      {hash}
    </bdi>
  );
}
