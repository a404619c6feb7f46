import { fileURLToPath } from 'node:url';
import type {} from 'vitest';
import type { Plugin } from 'vitest/config';
import { CHANNEL_VARIABLE } from '../capture/channel/variable.ts';
import { type RecorderOptions, startRecorder } from './recorder.ts';
import type { TestCapture } from './test-capture.ts';

export type { RecorderOptions, TestCapture };

declare module 'vitest' {
  interface TestContext {
    /** What is recorded of this test, for `expect(capture).toBeForensicallyConsistent()`. */
    readonly capture: TestCapture;
  }
  interface Matchers<T> {
    /**
     * Ends and seals the capture of this test, verifies the bundle under the profile and the trust store of the run, and passes when it holds at least
     * one A2A exchange and the verdict is FORENSICALLY_CONSISTENT.
     */
    toBeForensicallyConsistent(): Promise<void>;
  }
}

const OWN = fileURLToPath(new URL('../', import.meta.url));
const SETUP = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './setup.js', import.meta.url));

const inFolder = (folder: string): RegExp => new RegExp(folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));

/**
 * A plugin for vitest.config: records the A2A exchanges of each test into a bundle of its own. A recorder apart from vitest holds the key and signs; under
 * `forensictrace capture` it is that one. Fails before any test when there is no key, or anything else is missing.
 */
export const forensictrace = (options: RecorderOptions = {}): Plugin => ({
  name: 'forensictrace',
  // What setup imports is loaded by Node and not by vite, also where this package is a linked folder.
  config: () => ({ test: { setupFiles: [SETUP], server: { deps: { external: [inFolder(OWN)] } } } }),
  configureVitest: async ({ vitest, project }) => {
    if (project.config.browser.enabled) throw new Error('forensictrace: tests in a browser cannot be recorded');
    if (process.env[CHANNEL_VARIABLE] !== undefined) return;
    const recorder = await startRecorder(options, vitest.config.root);
    const before = { ...process.env };
    Object.assign(process.env, recorder.env);
    vitest.onClose(async () => {
      for (const name of Object.keys(recorder.env)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      vitest.logger.log(await recorder.stop());
    });
  },
});
