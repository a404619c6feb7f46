/**
 * What an identity may do, one role each: whoever reports effects or answers for people cannot also be the agent that they are about.
 * `agent` registers runs; `person` and `agent-approver` answer approvals; `egress` and `sensor` report effects; `operator` holds and releases runs.
 */
export const ROLES = ['agent', 'person', 'agent-approver', 'egress', 'sensor', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** Who is on the other end of a connection, as its token proved. */
export type Identity = {
  /** `token:NAME`. Node tells no peer credentials, so `uid:` is never claimed. */
  readonly id: string;
  readonly role: Role;
  readonly tenant: string;
};

export const SCHEME = 'token';
export const identityOf = (name: string): string => `${SCHEME}:${name}`;
