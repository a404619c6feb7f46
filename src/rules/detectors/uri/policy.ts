import * as z from 'zod';
import { ADDRESS_CLASSES, classifyAddress, isCidr } from './address.ts';
import { originOf } from './endpoint.ts';
import { hostOf } from './names.ts';

const MAX_PORT = 65_535;

const isHostPattern = (pattern: string): boolean => {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  return !name.includes('*') && hostOf(name) !== null;
};

const HostPattern = z.string().refine(isHostPattern, 'must be a host name, an address, or `*.` before a name');
const Address = z.string().refine((text) => classifyAddress(text) !== null, 'must be an IP address');
const Network = z.string().refine(isCidr, 'must be a network in CIDR notation');
const Origin = z
  .string()
  .refine(
    (text) => originOf(text) === text,
    'must be an origin as the URL parser writes it, as https://site.example:8443, with nothing behind the port',
  );

/** The `asrf` part of a verification profile: where an agent under observation may send requests. */
export const AsrfPolicy = z.strictObject({
  schemes: z
    .array(z.string().regex(/^[a-z][a-z0-9+.-]*$/))
    .describe('Schemes a dereference may use, in lower case, without colon.'),
  ports: z
    .array(z.int().min(0).max(MAX_PORT))
    .nullable()
    .describe('Ports a dereference may use, the default port of a scheme counted as written; null: any.'),
  hosts: z
    .array(HostPattern)
    .nullable()
    .describe(
      'Hosts a dereference may name: exact names or addresses, or `*.suffix` for every name below a suffix; null: any but a metadata or loopback name.',
    ),
  origins: z.array(Origin).describe('Origins allowed whatever the scheme, port, host and address members say.'),
  allowed_cidrs: z
    .array(Network)
    .describe('Networks inside policy although the class of their addresses is not allowed.'),
  denied_cidrs: z
    .array(Network)
    .describe('Networks outside policy although the class of their addresses, or `allowed_cidrs`, would allow them.'),
  allowed_classes: z
    .array(z.enum(ADDRESS_CLASSES))
    .describe('Classes of addresses inside policy; an address that embeds an IPv4 address is of the class of that.'),
  require_connected_address: z
    .boolean()
    .describe(
      'Whether a dereference whose connected address was not seen is INCONCLUSIVE; if not, it is an observation.',
    ),
  test_redirects: z
    .array(
      z.strictObject({
        host: z.union([z.literal('*'), HostPattern]).describe('Host redirected: exact, `*.suffix`, or `*` for any.'),
        address: Address.describe('Address the dialer was told to connect to instead.'),
      }),
    )
    .describe(
      'Redirections of an experiment: under a listed one the resolved address is judged, not the connected one.',
    ),
});
export type AsrfPolicy = z.infer<typeof AsrfPolicy>;
