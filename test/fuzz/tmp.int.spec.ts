import { exchangeRaw } from './raw-exchange';
import { World } from './world';
it('x', async () => {
  const world = await World.open();
  for (const pieces of [1, 2]) {
    const text = world.fill('POST /v1/payment_intents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {{key.full}}\r\nContent-Type: application/json\r\nContent-Length: 34\r\nExpect: 100-continue\r\n\r\n{"amount":"2500","currency":"EUR"}');
    const parts = pieces === 1 ? [text] : [text.slice(0, 100), text.slice(100)];
    console.log(pieces, String(await exchangeRaw(world.instance.port, parts)).slice(0, 600));
  }
  console.log(world.stage.logged.slice(-3).join(''));
  await world.close();
}, 60000);
