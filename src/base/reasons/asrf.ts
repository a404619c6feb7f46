import type { ReasonEntries, ReasonEntry } from './entry.ts';

type Told = Omit<ReasonEntry, 'family' | 'techniques'> & Partial<Pick<ReasonEntry, 'techniques'>>;

const asrf = <T extends Told>(told: T) =>
  ({
    family: 'ASRF',
    techniques: ['AML.T0053', 'AML.T0075', 'ASI02', 'CWE-918', 'CWE-601', 'CWE-367'],
    ...told,
  }) as const;

const NOT_INTENT =
  'It does not say that the sender of the reference meant harm, nor that the destination answered or gave anything away: see the outcome and the response for that.';
const ASK_AGENT =
  'Read the exchange at the start of the evidence path to see who brought the reference, then the response of the dereference for what came back, and the logs of the destination. Where this deployment allows the destination, add it to the profile.';
const NOT_SENT = 'It is not a finding: no request to that destination is recorded.';
const POLICY_TOO_TIGHT = 'A destination that the deployment allows and the profile does not list.';

/** Agent-side request forgery: a URI from an exchange that makes the agent send a request outside policy (RULES.md ASRF). */
export const ASRF_REASONS = {
  ASRF_SCHEME_OUTSIDE_POLICY: asrf({
    level: 'finding',
    title: 'The agent used a URI scheme outside policy',
    means:
      'A reference that came with an exchange, or a redirect of it, made the agent dereference a URI whose scheme (the part before the first colon, such as file or gopher) the profile does not list. An attempt counts although the connection failed.',
    not: NOT_INTENT,
    next: ASK_AGENT,
    falsePositives: POLICY_TOO_TIGHT,
  }),
  ASRF_PORT_OUTSIDE_POLICY: asrf({
    level: 'finding',
    title: 'The agent went to a port outside policy',
    means:
      'A reference that came with an exchange, or a redirect of it, made the agent dereference a URI with a port that the profile does not list. Other ports often belong to databases and control interfaces. An attempt counts although the connection failed.',
    not: NOT_INTENT,
    next: ASK_AGENT,
    falsePositives: POLICY_TOO_TIGHT,
  }),
  ASRF_HOST_OUTSIDE_POLICY: asrf({
    level: 'finding',
    title: 'The agent went to a host outside policy',
    means:
      'A reference that came with an exchange, or a redirect of it, made the agent dereference a URI whose host is outside the profile: a name that is not allowed, or an address of an internal, metadata or loopback kind written in the URI itself, in whatever notation. Where two URL parsers read two hosts, either counts. An attempt counts although the connection failed.',
    not: NOT_INTENT,
    next: ASK_AGENT,
    falsePositives: POLICY_TOO_TIGHT,
  }),
  ASRF_ADDRESS_OUTSIDE_POLICY: asrf({
    level: 'finding',
    title: 'An allowed name led to an address outside policy',
    means:
      'The text of the URI was within the profile, but the connection was made to an address that is not. This is how a DNS answer that changes between check and use (rebinding) looks.',
    not: `${NOT_INTENT} It does not prove that a DNS answer changed: the name may always have pointed there.`,
    next: `${ASK_AGENT} Compare with the DNS log of that time.`,
    falsePositives:
      'A split-horizon name that leads to an internal address on purpose and is not listed in the profile.',
  }),
  ASRF_ADDRESS_UNSEEN: asrf({
    level: 'note',
    title: 'The address of the destination was not seen',
    means:
      'The text of the URI is within the profile, and the address to which the connection went was not recorded. The profile does not require it.',
    not: 'It does not mean that the address was within the profile: the text alone was judged.',
    next: 'Capture with a connector that records addresses, or look at flow logs of that time.',
    falsePositives: 'None: it says what was not seen.',
  }),
  ASRF_ADDRESS_UNREADABLE: asrf({
    level: 'inconclusive',
    title: 'The recorded address is no IP address',
    means:
      'The text of the URI is within the profile; the text recorded as the address connected to cannot be read as an address.',
    not: 'It does not mean that the destination was outside the profile, nor that it was within.',
    next: 'Look at the capture software for what it records there, and at flow logs of that time.',
    falsePositives: 'A local socket path recorded as an address.',
  }),
  ASRF_URI_UNREADABLE: asrf({
    level: 'inconclusive',
    title: 'The agent dereferenced a text that cannot be read as a URI',
    means:
      'No URL parser accepts the text, or it is relative and nothing says to what. Where the request went cannot be told from it.',
    not: 'It does not mean that a request was sent anywhere.',
    next: 'Look at the connected address, if any, and find out how the client of the agent reads this text.',
    falsePositives: 'A client that completes relative references against a base of its own.',
  }),
  ASRF_TOO_MANY_REDIRECTS: asrf({
    level: 'inconclusive',
    title: 'More redirects than the rule follows',
    means:
      'This hop is the 65th redirect of one reference. Neither it nor any hop that follows it was judged; the hops before it were.',
    not: 'It does not mean that these hops left the profile, nor that they stayed within.',
    next: 'Ask why the client of the agent follows redirects without a limit, and read the hops by hand.',
    falsePositives: 'None in use is known: common clients stop at 20 to 50.',
  }),
  ASRF_BLOCKED: asrf({
    level: 'warning',
    title: 'A guard stopped a dereference',
    means:
      'The agent set out to dereference the URI and its own guard refused before any request was sent. The explanation says how the profile judges the text.',
    not: NOT_SENT,
    next: 'Read the exchange that brought the reference: the attempt may be one of several.',
    falsePositives: 'A guard that refuses a harmless destination.',
  }),
  ASRF_NOT_ATTEMPTED: asrf({
    level: 'note',
    title: 'A dereference was recorded and not attempted',
    means: 'The record says that no request was attempted. The text is within the profile, or cannot be read.',
    not: NOT_SENT,
    next: 'Nothing, unless a request was expected here.',
    falsePositives: 'None: it says what was recorded.',
  }),
  ASRF_OUTSIDE_POLICY_NOT_ATTEMPTED: asrf({
    level: 'warning',
    title: 'A dereference outside policy was not attempted',
    means:
      'The URI is outside the profile and the record says that no request was attempted: the client gave up before, for instance at a scheme it does not know.',
    not: NOT_SENT,
    next: 'Read the exchange that brought the reference: it may have been tried on other agents too.',
    falsePositives: POLICY_TOO_TIGHT,
  }),
  ASRF_REFERENCE_NOT_DEREFERENCED: asrf({
    level: 'note',
    title: 'A reference was never followed',
    means: 'An exchange or artifact names a URI within the profile, and no dereference of it is recorded.',
    not: 'It does not mean that nobody followed it where the capture did not look.',
    next: 'Nothing, unless coverage says that dereferences were not watched.',
    falsePositives: 'None: links in text are common.',
    techniques: [],
  }),
  ASRF_REFERENCE_OUTSIDE_POLICY_NOT_DEREFERENCED: asrf({
    level: 'warning',
    title: 'A reference outside policy was never followed',
    means:
      'An exchange or artifact names a URI that the profile would not allow, and no dereference of it is recorded. A bait that was not taken looks like this.',
    not: NOT_SENT,
    next: 'Read the exchange, see who sent the reference, and check the logs of the destination for requests that the capture did not see.',
    falsePositives: 'Prose about internal addresses, such as installation instructions.',
  }),
  ASRF_REFERENCE_UNREADABLE: asrf({
    level: 'note',
    title: 'A reference that was never followed cannot be read as a URI',
    means: 'No URL parser accepts the text, or it is relative, and no dereference of it is recorded.',
    not: 'It does not mean that the text is harmless to every client.',
    next: 'Read the text in the exchange.',
    falsePositives: 'File names and fragments in text.',
    techniques: [],
  }),
  ASRF_REDIRECT_OUTSIDE_POLICY_NOT_FOLLOWED: asrf({
    level: 'warning',
    title: 'A redirect outside policy was not followed',
    means:
      'The response redirects to a URI that the profile would not allow, and no dereference of that target is recorded.',
    not: NOT_SENT,
    next: 'Find out whether the client follows redirects out of sight of the capture, and who controls the redirecting server.',
    falsePositives: POLICY_TOO_TIGHT,
  }),
  ASRF_READINGS_DIFFER: asrf({
    level: 'warning',
    title: 'Two URL parsers read two destinations in one URI',
    means:
      'The URI holds something, such as a backslash before an at-sign, that the URL parser of browsers and the URI grammar of RFC 3986 read as different hosts. A check by one and a request by the other can be led apart.',
    not: 'It is no finding by itself: each reading is judged, and the address connected to decides where it was seen.',
    next: 'Find out which parser the client of the agent uses, and where the text comes from.',
    falsePositives: 'A mistyped path.',
  }),
  ASRF_MIXED_ANSWERS: asrf({
    level: 'warning',
    title: 'A name resolved to addresses inside and outside policy',
    means:
      'Among the addresses that the name resolved to, some are outside the profile. Only the one connected to is judged.',
    not: 'It does not mean that a connection went outside.',
    next: 'Look at who controls the name: mixed answers are a step of DNS rebinding.',
    falsePositives: 'Split-horizon DNS that answers with internal and public addresses together.',
  }),
  ASRF_ANSWERS_OUTSIDE_POLICY: asrf({
    level: 'warning',
    title: 'A name resolved to addresses outside policy, and the one used was not seen',
    means:
      'All addresses that the name resolved to are outside the profile, and the address of the destination was not seen: no connection came about, it went by a proxy, or it was not recorded.',
    not: 'It does not mean that a connection went outside: an answer is not a request.',
    next: 'Look at who controls the name, and at the log of the proxy or the flow logs of that time.',
    falsePositives:
      'A split-horizon name that leads to internal addresses on purpose and is not listed in the profile.',
  }),
  ASRF_CONNECTED_TO_ANOTHER_ANSWER: asrf({
    level: 'note',
    title: 'The connection went to an address that was not among the answers',
    means: 'The address connected to is none of the addresses recorded for the name.',
    not: 'It does not mean that the address is outside the profile: that is judged apart.',
    next: 'Compare with the DNS log of that time.',
    falsePositives: 'A connection that was kept open, or a second lookup by the client.',
  }),
  ASRF_DIAL_OVERRIDE_APPLIED: asrf({
    level: 'note',
    title: 'A listed test redirection stood in for the destination',
    means:
      'The dialer sent this host to another address, the profile lists that override as one of an experiment, and the resolved address was judged in place of the connected one.',
    not: 'It does not mean that the resolved address was ever contacted.',
    next: 'Nothing in an experiment. In production no profile should list overrides.',
    falsePositives: 'None: it says how the judgement was made.',
    techniques: [],
  }),
  ASRF_DIAL_OVERRIDE_UNLISTED: asrf({
    level: 'warning',
    title: 'The dialer redirected a host, and the profile does not list that',
    means:
      'The record says that the dialer sent this host to another address than it resolves to. The profile does not list this override, so the address connected to was judged as it is.',
    not: 'It does not mean that the override was hostile.',
    next: 'Ask who configured the override.',
    falsePositives: 'An experiment judged under a profile made for production.',
  }),
  ASRF_PROXIED: asrf({
    level: 'note',
    title: 'The request went by a proxy',
    means: "The address connected to is the proxy's. The address of the destination is known only to the proxy.",
    not: 'It does not mean that the destination was within the profile.',
    next: 'Get the log of the proxy for that time.',
    falsePositives: 'None: it says what was recorded.',
    techniques: [],
  }),
} as const satisfies ReasonEntries;
