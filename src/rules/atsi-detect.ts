import { readUrl } from '../base/url.ts';
import { bodyBytes } from '../evidence/body.ts';
import type { Body } from '../evidence/fields.ts';
import type { Link } from '../relate/nodes.ts';
import type { Content } from './atsi-content.ts';
import { type Detection, detectActiveContent } from './detectors/markup/detect.ts';
import { detectorFor, parseMediaType } from './detectors/markup/media-type.ts';
import { quoted } from './detectors/uri/quoted.ts';

const concat = (bodies: readonly Body[]): Uint8Array => {
  const pieces = bodies.map(bodyBytes);
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
};

/** `producer`: the exchange that brought the content, and with it the host of which a load is no remote one. */
export type Detect = ((content: Content, type: string, producer: Link<'exchanges'> | undefined) => Detection) & {
  /** Whether no bytes are active under a type, nor load anything. */
  readonly isInert: (type: string) => boolean;
};

const NO_BYTES = new Uint8Array();

/** Detections outlive a run, by the record that holds the content: minimal evidence asks the rule about the same ones many times. */
const detected = new WeakMap<object, Map<string, Detection>>();

/** Takes the profile's inert marker; returns the detector of one run, which judges equal bytes under one type once. */
export const createDetect = (inertMarker: string | null): Detect => {
  const seen = new Map<string, Detection>();
  const inert = new Map<string, Detection | null>();
  /** The detection of a type under which no bytes are active; else null. */
  const inertOf = (type: string): Detection | null => {
    const known = inert.get(type);
    if (known !== undefined) return known;
    const detection = isInertType(type) ? detectActiveContent(NO_BYTES, type) : null;
    inert.set(type, detection);
    return detection;
  };
  const detect = (
    { bodies, holder, sha256 }: Content,
    type: string,
    producer: Link<'exchanges'> | undefined,
  ): Detection => {
    const harmless = inertOf(type);
    if (harmless !== null) return harmless;
    const artifactHost = hostOf(producer);
    const key = JSON.stringify([sha256, type, artifactHost, inertMarker]);
    const known = seen.get(key) ?? detected.get(holder)?.get(key);
    const detection = known ?? detectActiveContent(concat(bodies), type, { inertMarker, artifactHost });
    seen.set(key, detection);
    detected.set(holder, (detected.get(holder) ?? new Map<string, Detection>()).set(key, detection));
    return detection;
  };
  return Object.assign(detect, { isInert: (type: string) => inertOf(type) !== null });
};

/** The host that an artifact came from; null where it is not known. */
const hostOf = (producer: Link<'exchanges'> | undefined): string | null => {
  const url = producer?.node.record.url;
  return url === undefined ? null : (readUrl(url)?.host ?? null);
};

/** A type under which no bytes are active, so that bytes which were not kept do not matter. */
export const isInertType = (type: string): boolean => {
  const essence = parseMediaType(type)?.essence;
  return essence !== undefined && detectorFor(essence) === 'inert';
};

/** What was cut off content, in words; null when all of it was kept. */
export const cutOf = ({ bodies, says }: Content): string | null => {
  const cut = bodies.find((body) => body.truncated !== null);
  return cut === undefined ? null : `of ${says} ${cut.truncated} of ${cut.size} bytes were kept`;
};

const SHOWN = 5;

const listed = (texts: readonly string[]): string =>
  texts.length > SHOWN ? `${texts.slice(0, SHOWN).join('; ')}; and ${texts.length - SHOWN} more` : texts.join('; ');

export const indicatorsTold = (indicators: Detection['indicators']): string =>
  listed(
    indicators.map(({ kind, where, value }) => `${kind} at ${where === '' ? 'no place' : where}: ${quoted(value)}`),
  );

export const loadsTold = (loads: Detection['remoteLoads']): string =>
  listed(loads.map(({ host, url, where }) => `from host ${quoted(host)} at ${where}: ${JSON.stringify(url)}`));
