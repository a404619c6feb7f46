/** The elements and attributes of HTML, SVG and MathML that the ATSI rule knows, by local name. */

/** Elements that are active content whatever they hold (RULES, ATSI); `frame` is an `iframe` by another name. */
export const ACTIVE_ELEMENTS: ReadonlySet<string> = new Set(['script', 'iframe', 'frame', 'object', 'embed', 'base']);

/** Attributes that are active content whatever they hold. */
export const ACTIVE_ATTRIBUTES: ReadonlySet<string> = new Set(['srcdoc', 'formaction']);

/** Attributes that hold one URL. Judged on every element: a name unknown here may be a link elsewhere (MathML `href`). */
export const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'action archive background cite classid codebase data dynsrc formaction href longdesc lowsrc manifest poster profile src'.split(
    ' ',
  ),
);
export const URL_LIST_ATTRIBUTES: ReadonlySet<string> = new Set(['ping']);
export const SRCSET_ATTRIBUTES: ReadonlySet<string> = new Set(['srcset', 'imagesrcset']);

/** SVG Animations 2: these write an attribute of another element, so their values are URLs if that attribute is. */
export const ANIMATION_ELEMENTS: ReadonlySet<string> = new Set(
  'animate set animateColor animateMotion animateTransform'.split(' '),
);
export const ANIMATION_VALUES: ReadonlySet<string> = new Set(['values', 'from', 'to', 'by']);

/** Elements that show an SVG document as an image, where its scripts do not run. */
export const IMAGE_ELEMENTS: ReadonlySet<string> = new Set(['img', 'image', 'source']);

/** Attributes that an element fetches without a click. */
export const LOADING_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['img', ['src', 'srcset', 'dynsrc', 'lowsrc']],
  ['source', ['src', 'srcset']],
  ['input', ['src']],
  ['video', ['src', 'poster']],
  ['audio', ['src']],
  ['bgsound', ['src']],
  ['track', ['src']],
  ['script', ['src']],
  ['iframe', ['src']],
  ['frame', ['src']],
  ['embed', ['src']],
  ['object', ['data']],
  ['image', ['href', 'src']],
  ['feImage', ['href']],
  ['use', ['href']],
]);
/** Obsolete, but drawn on every element that has a box in some engine. */
export const ALWAYS_LOADING: ReadonlySet<string> = new Set(['background']);

/** `rel` keywords whose `href` is fetched at once (HTML 4.6.7, and the names that preceded them). */
export const LOADING_RELS: ReadonlySet<string> = new Set(
  `stylesheet icon preload prefetch modulepreload preconnect dns-prefetch prerender manifest apple-touch-icon
   apple-touch-icon-precomposed apple-touch-startup-image mask-icon fluid-icon import`.split(/\s+/),
);

/** SVG 2, appendix on presentation attributes: those whose value may be `url()`. */
export const CSS_ATTRIBUTES: ReadonlySet<string> = new Set(
  'style fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end mask-image'.split(' '),
);
