import type { FirstStep, HomeView } from '../../../src/modules/home/queries/home-view';
import { Card } from '../../parts/card';
import { useDashboard } from '../../parts/dashboard-context';
import { pathInMode } from '../../parts/dashboard-path';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { StepList } from '../../parts/step-list';

type Words = { readonly title: string; readonly text: string; readonly path: string; readonly way: string };

const WORDS: Readonly<Record<FirstStep, Words>> = {
  wallet: { title: 'Prove a wallet', text: 'Payments go straight to it.', path: 'wallets', way: 'Wallets' },
  route: { title: 'Set a route', text: 'Say which token goes to which wallet.', path: 'routes', way: 'Routes' },
  key: { title: 'Use an API key', text: 'Your shop calls the API with it.', path: 'keys', way: 'API keys' },
  endpoint: { title: 'Add an endpoint', text: 'Your shop hears of each payment.', path: 'webhooks', way: 'Webhooks' },
  verification: {
    title: 'Verify your business',
    text: 'Live payments wait for it.',
    path: 'verification',
    way: 'Verification',
  },
  payment: { title: 'See a test payment paid', text: 'Play a customer.', path: 'simulate', way: 'Simulate' },
};

/** The steps from an empty account to the first paid payment, until all are done. */
export function FirstSteps({ steps }: Pick<HomeView, 'steps'>) {
  const { root } = usePage();
  const { mode } = useDashboard();
  const paths = usePaths();
  const next = steps.find(({ isDone }) => !isDone)?.step;
  if (next === undefined) return null;
  return (
    <Card title="First steps" liveId="first-steps" class="first-steps">
      <StepList
        label="First steps"
        steps={steps.map(({ step, isDone }) => {
          const { title, text, path, way } = WORDS[step];
          // Customers are played in test mode alone.
          const href = step === 'payment' && mode === 'live' ? pathInMode(root, 'test', path) : paths(path);
          return {
            title,
            state: isDone ? 'done' : step === next ? 'now' : 'later',
            ...(!isDone && {
              children: (
                <p class="label">
                  {text} <a href={href}>{way}</a>
                </p>
              ),
            }),
          };
        })}
      />
    </Card>
  );
}
