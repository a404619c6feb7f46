import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { task } from '../capture/wire/world.ts';
import { JSON_HEADERS } from './http.ts';

/** Makes a folder with a certificate of `localhost` and 127.0.0.1 that nobody vouches for, and its key. */
export const makeCertificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-tls-'));
  const [file, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', keyFile];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const args = ['req', '-x509', '-nodes', ...key, '-out', file, '-days', '2', '-subj', '/CN=localhost', ...names];
  execFileSync('openssl', args, { stdio: 'pipe' });
  const [cert, privateKey] = [readFileSync(file), readFileSync(keyFile)];
  return {
    folder,
    file,
    fingerprint: new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase(),
    /** A server behind it, that answers every request by a completed task. */
    server: (): Server =>
      createServer({ cert, key: privateKey }, (_, response) =>
        response.writeHead(200, JSON_HEADERS).end(JSON.stringify(task('t-1', 'COMPLETED'))),
      ),
  };
};
