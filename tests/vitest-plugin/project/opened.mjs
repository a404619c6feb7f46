// Loaded into every process of a run: notes which of them opens the key.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { KEY, OPENED } = process.env;
const { appendFileSync } = fs;
const watch = (owner, name) => {
  const original = owner[name];
  owner[name] = function (path, ...rest) {
    if (String(path) === KEY) appendFileSync(OPENED, `${process.argv.slice(1).join(' ')}\n`);
    return original.call(this, path, ...rest);
  };
};
for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream']) watch(fs, name);
for (const name of ['open', 'readFile']) watch(fs.promises, name);
syncBuiltinESMExports();
