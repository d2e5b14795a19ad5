import { CountedPayments } from './counted-payments';

jest.setTimeout(120_000);

const MOST_READS = 16;
const MOST_READS_OF_CONTROLS = 4;

describe('a payment from its sighting to its confirmation', () => {
  const payments = new CountedPayments();

  beforeAll(() => payments.start());
  afterAll(() => payments.stop());

  it('costs few reads of streams', async () => {
    const { own, ofControls } = await payments.readsOfOne();
    expect(own).not.toHaveLength(0);
    expect(own.length).toBeLessThanOrEqual(MOST_READS);
    expect(ofControls.length).toBeLessThanOrEqual(MOST_READS_OF_CONTROLS);
  });

  it('leaves the process with one subscription to the log', () => {
    expect(payments.subscribed).toHaveLength(1);
  });
});
