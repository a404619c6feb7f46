/** A socket by both its ends, as its client sees them; an IPv4 peer of an IPv6 socket is the same one. Null where an end is not known. */
export const socketKey = (local: string | null, remote: string | null): string | null =>
  local === null || remote === null ? null : `${local.replace('::ffff:', '')}>${remote.replace('::ffff:', '')}`;
