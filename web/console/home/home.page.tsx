import { Card } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';

export function ConsoleHomePage() {
  return (
    <ConsolePage title="Home" current="">
      <Card title="Waiting for you">
        <p>Nothing.</p>
      </Card>
    </ConsolePage>
  );
}
