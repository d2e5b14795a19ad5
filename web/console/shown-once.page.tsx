import { ConsolePage } from '../parts/console-page';
import { SHOWN_ONCE_TITLE, ShownOnce } from '../parts/shown-once';

export function ShownOncePage() {
  return (
    <ConsolePage title={SHOWN_ONCE_TITLE} current="security">
      <ShownOnce />
    </ConsolePage>
  );
}
