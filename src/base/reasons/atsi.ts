import type { ReasonEntries, ReasonEntry } from './entry.ts';

type Told = Omit<ReasonEntry, 'family' | 'techniques'>;

const atsi = <T extends Told>(told: T) =>
  ({
    family: 'ATSI',
    techniques: ['AML.T0077', 'AML.T0078', 'ASI05', 'ASI09', 'CWE-79', 'CWE-116'],
    ...told,
  }) as const;

const NOT_RUN =
  'It does not prove that the script ran or did harm: the record says what the renderer received and how it took it, not what the page did.';
const LOOK_AT_PAGE =
  'Keep the artifact as a file and do not open it in a browser. Read the named places in a text editor, then look at the renderer: its version, its content security policy, and what its users could reach.';

/** Artifact-triggered script injection: an artifact whose bytes act where they are shown (RULES.md ATSI). */
export const ATSI_REASONS = {
  ATSI_ACTIVE_CONTENT_INTERPRETED: atsi({
    level: 'finding',
    title: 'An artifact with active content was rendered',
    means:
      'The bytes that the renderer received (told by their SHA-256) hold content that acts by itself under the media type it took them for: a script, an event handler, a frame, a javascript: address or the like. They were found by parsing the bytes as a browser does, and each is named with its place and value.',
    not: NOT_RUN,
    next: LOOK_AT_PAGE,
    falsePositives:
      'An application that means to show interactive artifacts, in a frame that the profile does not list as sandboxed.',
  }),
  ATSI_REMOTE_LOAD: atsi({
    level: 'finding',
    title: 'A rendered artifact makes the page fetch from another host',
    means:
      'The bytes that the renderer received name images, style sheets, fonts or media on another host than the one the artifact came from. Showing them sends a request there without a click, and what stands in the address goes with it: this is how data is carried out of a chat. Host and address are given in full.',
    not: 'It is no script, and it does not prove that the request was sent: the renderer may forbid it.',
    next: 'Read the address for data that should not leave, look for the request in proxy or DNS logs, and see whether the renderer has a policy for images from elsewhere.',
    falsePositives: 'Pictures and style sheets that an honest author keeps on another host.',
  }),
  ATSI_ACTIVE_CONTENT_SANDBOXED: atsi({
    level: 'warning',
    title: 'Active content was rendered in a frame listed as sandboxed',
    means:
      'The bytes that the renderer received hold active content, and the profile lists this renderer as one whose frames are sandboxed.',
    not: 'It is not a finding, and it does not prove that the sandbox held: the profile says that there is one.',
    next: 'Check the sandbox of that renderer: without allow-scripts nothing runs; with allow-scripts and allow-same-origin together it protects nothing.',
    falsePositives: 'None: it says what was received and what the profile says.',
  }),
  ATSI_REMOTE_LOAD_SANDBOXED: atsi({
    level: 'warning',
    title: 'A page in a frame listed as sandboxed fetches from another host',
    means:
      'The bytes that the renderer received name images or other content on another host. A sandbox stops scripts and not such fetches; the profile lists the renderer as safe.',
    not: 'It is no script, and it does not prove that the request was sent.',
    next: 'See whether the frame has a content security policy that forbids loads from elsewhere.',
    falsePositives: 'Pictures that an honest author keeps on another host.',
  }),
  ATSI_LATENT_ACTIVE_CONTENT: atsi({
    level: 'warning',
    title: 'A rendered artifact would be active if it were processed otherwise',
    means:
      'Parsed as a browser does, the content does not act, or cannot be parsed whole. It would act with scripting switched off, after it is written out and parsed again (as some sanitizers and editors do), up to the first error of malformed XML, or as a table of GitHub Flavored Markdown; or it has attributes that look like event handlers and are none. Each place is named.',
    not: 'It is not a finding: whether the renderer does any of this is not known.',
    next: 'See whether the renderer, or anything behind it, serialises and parses the content again.',
    falsePositives: 'Markup with attributes of a framework that begin with the letters on.',
  }),
  ATSI_ACTIVE_SHOWN_AS_SOURCE: atsi({
    level: 'note',
    title: 'Active content was shown as text',
    means: 'The artifact holds active content, and the renderer showed its source and did not interpret it.',
    not: 'It is not a finding: text does not act.',
    next: 'Find out who sent it, and whether it was shown elsewhere too.',
    falsePositives: 'A program listing that somebody asked for.',
  }),
  ATSI_ACTIVE_UNRENDERED: atsi({
    level: 'warning',
    title: 'An artifact holds active content and was not rendered',
    means:
      'Under its own media type (or, where it states none, as Markdown) the artifact holds active content. Renders were watched and none of it is recorded.',
    not: 'It is not a finding: nothing showed it while the capture watched.',
    next: 'Find out who sent it and where the artifact is stored: it acts wherever it is opened later.',
    falsePositives: 'A web page or drawing that was ordered as such.',
  }),
  ATSI_RENDER_NOT_WATCHED: atsi({
    level: 'inconclusive',
    title: 'An artifact holds active content, and whether it was rendered was not watched',
    means:
      'Under its own media type (or, where it states none, as Markdown) the artifact holds active content. No render is recorded, but the capture was not set up to see renders, so it may have been shown.',
    not: 'It does not mean that it was rendered, nor that it was not.',
    next: 'Find out what the receiving application does with artifacts, and capture with an observer of renders.',
    falsePositives: 'A web page or drawing that was ordered as such and only stored.',
  }),
  ATSI_ACTIVE_ONLY_AS_HTML: atsi({
    level: 'note',
    title: 'Text without a media type would be active as HTML',
    means:
      'The artifact states no media type. Taken as Markdown it is not active; put into a page as HTML it would be. No render of it is recorded.',
    not: 'It is not a finding, and mostly no attack: a program listing in prose reads like this.',
    next: 'Make sure that the receiving application never puts text into a page unescaped.',
    falsePositives: 'Prose and code fences about scripts.',
  }),
  ATSI_REMOTE_LOAD_UNRENDERED: atsi({
    level: 'note',
    title: 'An artifact that was not rendered names content on another host',
    means:
      'Shown under its own media type (or, where it states none, as Markdown) the artifact would make the page fetch from another host. No render of it is recorded.',
    not: 'It is no script, and no request is recorded.',
    next: 'Read the addresses for data that should not leave.',
    falsePositives: 'Pictures that an honest author keeps on another host.',
  }),
  ATSI_UNRENDERED_NOT_JUDGED: atsi({
    level: 'note',
    title: 'An artifact of a kind that is not judged was not rendered',
    means:
      'The artifact is of a media type that no detector reads (such as PDF), or its bytes cannot be parsed as the type it states. No render of it is recorded, so nothing is known to have interpreted it; had it been rendered, the result would be INCONCLUSIVE.',
    not: 'It does not mean that the file is safe to open: it was not looked into.',
    next: 'Examine the file with tools made for its type before anybody opens it.',
    falsePositives: 'None: it says what was not judged.',
  }),
  ATSI_NOT_JUDGED: atsi({
    level: 'inconclusive',
    title: 'What was rendered could not be judged',
    means:
      'The bytes are known, but no detector reads the media type under which they were interpreted, or they cannot be parsed so that all renderers would agree. The type or the obstacle is named.',
    not: 'It does not mean that the content is harmful, nor that it is harmless.',
    next: 'Examine the bytes with tools made for their type.',
    falsePositives: 'None: it says what was not judged.',
  }),
  ATSI_INPUT_NOT_TRACED: atsi({
    level: 'inconclusive',
    title: 'The renderer received other bytes than any that are known',
    means:
      'The SHA-256 of what the renderer received is neither that of the artifact, nor of its chunks put together, nor of the output of a recorded sanitizer. Something between changed the bytes and was not recorded.',
    not: 'It does not mean that somebody tampered with them: a converter or template does the same.',
    next: 'Find out what stands between the client and the renderer, and record its output as that of a sanitizer.',
    falsePositives: 'A renderer that is handed a rendering of the text, for instance HTML made from Markdown.',
  }),
  ATSI_CONTENT_NOT_HELD: atsi({
    level: 'inconclusive',
    title: 'The bytes of an artifact are not all in the trace',
    means:
      'The capture kept only the first part of the content, could not read it, or never had it (a part given by address). What was not kept may hold active content, whatever media type it states.',
    not: 'It does not mean that there is anything in the missing part.',
    next: 'Get the whole artifact from the agent or the application and compare its SHA-256 with the recorded one.',
    falsePositives: 'Large files, such as pictures, that pass the limit of the capture.',
  }),
} as const satisfies ReasonEntries;
