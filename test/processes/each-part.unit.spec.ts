import { StoreUnavailable, type GroupMessage } from '../../src/kernel/ports/event-store';
import { eachPart } from '../../src/processes/each-part';

const MESSAGE = { event: { type: 'PaymentConfirmed' }, retries: 0 } as unknown as GroupMessage;
const fault = new Error('a fault of its own');
const outage = new StoreUnavailable('the documents are away');
const fails = (error: Error) => () => Promise.reject(error);

it('hands a message to every part, whatever fails', async () => {
  const told: string[] = [];
  const tells = (part: string) => (message: GroupMessage) =>
    Promise.resolve(void told.push(`${part} ${message.event.type}`));
  const throwsAtOnce = () => {
    throw fault;
  };
  const parts = [tells('notices'), fails(fault), throwsAtOnce, tells('fees')];
  await expect(eachPart(parts)(MESSAGE)).rejects.toBe(fault);
  expect(told).toEqual(['notices PaymentConfirmed', 'fees PaymentConfirmed']);
});

it('tells of an outage before a fault, since the message is held then', async () => {
  await expect(eachPart([fails(fault), fails(outage)])(MESSAGE)).rejects.toBe(outage);
  await expect(eachPart([fails(outage), fails(fault)])(MESSAGE)).rejects.toBe(outage);
});

it('is done once every part is', async () => {
  await expect(eachPart([() => Promise.resolve(), () => Promise.resolve()])(MESSAGE)).resolves.toBeUndefined();
});
