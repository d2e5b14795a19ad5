import { Card } from './card';
import { usePage } from './page-context';

export const SHOWN_ONCE_TITLE = 'The secret was shown once';

/** Answers a form that was sent again, such as by a reload: its first answer alone showed the secret. */
export function ShownOnce() {
  const { path } = usePage();
  return (
    <Card>
      <p>
        This was done when the form was first sent, and the secret stood in that answer alone. If nobody kept it, make
        another one.
      </p>
      <p>
        <a href={path}>Back to the form</a>
      </p>
    </Card>
  );
}
