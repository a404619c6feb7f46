/** Active content in an artifact, found by parsing under the media type it is shown as (RULES, ATSI). Pure. */
import { decodeText, encodingOf } from './decode.ts';
import { Collector, type Detection } from './detection.ts';
import { judgeHtml } from './html.ts';
import { judgeMarkdown } from './markdown.ts';
import { detectorFor, parseMediaType } from './media-type.ts';
import { ownHostOf } from './url.ts';
import { judgeXml } from './xml.ts';

export type { Detection } from './detection.ts';

const JUDGES = { html: judgeHtml, xml: judgeXml, markdown: judgeMarkdown } as const;

const conclude = (mediaType: string, found: Collector): Detection => ({
  verdict: found.indicators.length > 0 ? 'active' : found.reasons.length > 0 ? 'inconclusive' : 'inert',
  mediaType,
  indicators: found.indicators,
  remoteLoads: found.remoteLoads,
  notes: found.notes,
  reason: found.indicators.length > 0 || found.reasons.length === 0 ? null : found.reasons.join('; '),
});

const unjudged = (mediaType: string, reason: string): Detection => {
  const found = new Collector();
  found.inconclusive(reason);
  return conclude(mediaType, found);
};

/**
 * Judges the bytes a renderer received.
 * @param bytes the artifact, at most what one bundle string holds (12 MiB)
 * @param interpretedAs media type with parameters; only its essence and `charset` count
 * @param options `inertMarker`: text that stands for active content in experiments, where markup is interpreted;
 * `artifactHost`: host (and port) the artifact came from, null where unknown, so that every absolute network URL is
 * another host
 * @returns a verdict for any bytes: what cannot be judged is `inconclusive` with a reason; nothing is thrown
 */
export const detectActiveContent = (
  bytes: Uint8Array,
  interpretedAs: string,
  options: { readonly inertMarker?: string | null; readonly artifactHost?: string | null } = {},
): Detection => {
  const type = parseMediaType(interpretedAs);
  if (type === null) return unjudged(interpretedAs.slice(0, 200), 'not a media type');
  const detector = detectorFor(type.essence);
  if (detector === 'inert') return conclude(type.essence, new Collector());
  if (detector === 'none') return unjudged(type.essence, `no detector for ${type.essence}`);
  const decoded = decodeText(bytes, type.charset);
  if (!decoded.ok) return unjudged(type.essence, decoded.reason);

  const found = new Collector();
  JUDGES[detector](decoded.text, found, ownHostOf(options.artifactHost ?? null));
  const marker = options.inertMarker ?? '';
  if (marker !== '' && decoded.text.includes(marker)) found.indicate('inert-marker', '', marker);
  if (!decoded.declared) {
    for (const label of found.declaredCharsets) {
      if (encodingOf(label) === null) found.inconclusive(`markup declares charset ${label}, which is not judged`);
    }
  }
  return conclude(type.essence, found);
};
