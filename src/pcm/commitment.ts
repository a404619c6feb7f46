import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Crypto } from '../base/crypto.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { bytesToHex, hexToBytes } from './bytes.ts';
import { jcsHash } from './jcs.ts';
import type { PcmObject, PcmValue } from './value.ts';

/** Takes a tool, its args and a salt of 64 hex digits; returns the commitment of a decision to them (HMAC-SHA256, RFC 2104; docs/PCM.md section 8). */
export const commitmentOf = (tool: PcmValue, args: PcmObject, salt: string, crypto: Crypto): string => {
  const digest = jcsHash({ args, tool }, crypto);
  return `hmac-sha256:${bytesToHex(hmac(sha256, hexToBytes(salt), encodeUtf8(digest)))}`;
};
