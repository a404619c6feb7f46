// Corners of Node's own interfaces in which a hook could be felt; prints what each did.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { request } from 'undici';
import { transcribe } from './transcript.mjs';

const server = createServer(async (asked, answer) => answer.end(`${(await asked.toArray()).join('')}.`));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();

const warnings = [];
process.on('warning', ({ name }) => warnings.push(name));

await transcribe({
  'a body of a synchronous iterator': async (tell) => {
    const pieces = (function* () {
      yield 'one ';
      yield 'two';
    })();
    const { body } = await request(`http://127.0.0.1:${port}/`, { method: 'POST', body: pieces });
    tell(await body.text());
  },
  'a socket that connects again and again': async (tell) => {
    const socket = new Socket();
    for (let count = 0; count < 12; count++) {
      socket.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
      await once(socket, 'close');
    }
    tell(warnings);
  },
  'a target that computes its members': async (tell) => {
    class Target extends EventTarget {
      get publish() {
        throw new Error('not to be asked');
      }
    }
    tell(new Target().dispatchEvent(new Event('event')));
  },
});
server.close();
server.closeAllConnections();
