import { join } from 'node:path';
import envPaths from 'env-paths';

/** Where keys and trust of one user live: `$FORENSICTRACE_TRUST` names the trust store, else the per-user config folder. */
const configFolder = (): string => envPaths('forensictrace', { suffix: '' }).config;
export const defaultTrustFile = (env: NodeJS.ProcessEnv): string =>
  env.FORENSICTRACE_TRUST || join(configFolder(), 'trust.json');
export const defaultKeyFile = (): string => join(configFolder(), 'signing-key.pem');
