// node flavours.mjs BUNDLED CJS: one agent, and a client in every way of running JavaScript; then the SDK in a bundle and through CommonJS.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { startPlainAgent } from './plain-agent.mjs';

const agent = await startPlainAgent(async (text) => text);
const bodyOf = (id) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: id, parts: [{ text: id }] } },
});
const fetching = (id) => `fetch('${agent.url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
  body: JSON.stringify(${JSON.stringify(bodyOf(id))}),
}).then((response) => response.json()).then(({ result }) => console.log(result.message.parts[0].text));`;
const requesting = (
  id,
) => `const request = http.request('${agent.url}', { method: 'POST', headers: { 'a2a-version': '1.0' } }, (response) => {
  let text = '';
  response.on('data', (piece) => { text += piece; });
  response.on('end', () => console.log(JSON.parse(text).result.message.parts[0].text));
});
request.end(JSON.stringify(${JSON.stringify(bodyOf(id))}));`;

const folder = mkdtempSync(join(tmpdir(), 'flavours-'));
const file = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const commands = [
  [file('module.mjs', `import http from 'node:http';\n${requesting('module')}`)],
  [file('common.cjs', `const http = require('node:http');\n${requesting('common')}`)],
  ['-e', fetching('evaluated')],
  ['--input-type=module', '-e', `await 0;\n${fetching('evaluated-module')}`],
  ['--import', 'tsx', file('typed.ts', `const id: string = 'typed';\n${fetching('typed')}`)],
  ['node_modules/tsx/dist/cli.mjs', file('run.ts', `enum Kind { Run = 'run' }\nvoid Kind.Run;\n${fetching('run')}`)],
  ...process.argv.slice(2).map((program) => [program]),
];
for (const args of commands) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, NODE_PATH: 'node_modules' } });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
}
for (const [eval_, code] of [
  [true, `const http = require('node:http');\n${requesting('worker')}`],
  [false, new URL(`data:text/javascript,${encodeURIComponent(fetching('worker-module'))}`)],
]) {
  await once(new Worker(code, { eval: eval_ }), 'exit');
}
rmSync(folder, { recursive: true });
agent.close();
