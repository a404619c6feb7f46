import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HEADER = '// Made from kernel/ by `npm run generate`.\n';
const BIN = 'node_modules/.bin';
const OPTIONS = [
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--disable',
  'simd',
  '--enable',
  'bulk-memory',
];

/** What the compiler makes runs itself: we are to call it when it is needed. */
const portable = (script: string): string => {
  const start = script.indexOf('function asmFunc(');
  const end = script.indexOf('var retasmFunc');
  const helpers = script.slice(script.indexOf('\n') + 1, start);
  return `${helpers}export ${script.slice(start, end)}`.replaceAll(/^ *\/\/.*\n/gm, '').trimEnd();
};

/** The kernel (kernel/) compiled into modules of src/base/kernel: as WebAssembly, and as JavaScript for where that is not allowed. */
export const kernelFiles = (): readonly { readonly file: string; readonly text: string }[] => {
  const folder = mkdtempSync(join(tmpdir(), 'forensictrace-kernel-'));
  try {
    const [wasm, script] = [join(folder, 'kernel.wasm'), join(folder, 'kernel.js')];
    execFileSync(`${BIN}/asc`, ['kernel/index.ts', ...OPTIONS, '-o', wasm]);
    execFileSync(`${BIN}/wasm2js`, ['--enable-bulk-memory', '-O2', wasm, '-o', script]);
    return [
      {
        file: 'src/base/kernel/wasm.generated.ts',
        text: `${HEADER}export const KERNEL_WASM = '${readFileSync(wasm).toString('base64')}';\n`,
      },
      {
        file: 'src/base/kernel/portable.generated.ts',
        text: `${HEADER}// @ts-nocheck\n${portable(readFileSync(script, 'utf8'))}\n`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
