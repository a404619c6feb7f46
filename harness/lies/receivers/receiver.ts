/** One check of a receiver: its id, the section of the specification that asks for it, and what it checks. */
export type Check = { readonly id: string; readonly section: string; readonly text: string };

/** What happened, as the signer's own log and the grants it issued tell it: nothing a verifier says. */
export type World = {
  /** `sha256:…` of the canonical text of each event that a pinned log holds. */
  readonly records: ReadonlySet<string>;
  /** `sha256:…` of the canonical text of each grant, with `sig`, that the signer of a pinned log issued. */
  readonly grants: ReadonlySet<string>;
};

/** Bytes that arrived, and the receiver's clock at that time (a time of PCM). */
export type Delivery = { readonly bytes: Uint8Array; readonly now: string };

/** What the receiver has when a message arrives; documents as the bytes of their files, times in the form of PCM. */
export type Context = {
  readonly trust: Uint8Array;
  readonly schemas: readonly Uint8Array[];
  readonly me: string;
  readonly now: string;
  /** When this process of the receiver started: what it received earlier than that, it has forgotten. */
  readonly started: string;
  readonly strict?: boolean;
  /** What the receiver got before, oldest first. */
  readonly earlier: readonly Delivery[];
  /** The identity that sends, whoever the message says it is from: other protocols have it sign with a key of its own. */
  readonly sender: string;
  readonly world: World;
  /** What it acts on, seen where it stands: the git tree of a project, files by the SHA-256 of their bytes (null: not there). */
  readonly held?: { readonly tree?: string; readonly files?: Readonly<Record<string, string | null>> };
};

/** What a receiver does with a message: accepted or not, and the first check that refused it (null when none did). */
export type Decision = { readonly accepted: boolean; readonly decidedBy: string | null };

export type Receiver<D extends Decision = Decision> = {
  readonly name: string;
  /** The specification that it is built from. */
  readonly source: string;
  readonly checks: readonly Check[];
  readonly receive: (message: Uint8Array, context: Context) => Promise<D>;
};

/** A check of what a protocol puts before its receiver. */
export type Rule<Artefacts> = Check & { readonly holds: (artefacts: Artefacts, context: Context) => boolean };

/** A protocol, modelled: what its sender would present for a message, and what its receiver checks of that, in order. */
export type Model<Artefacts> = {
  readonly name: string;
  readonly source: string;
  /** Takes a message and who sends it; returns what this sender is able to present. It signs what it likes with its own key alone. */
  readonly present: (message: Uint8Array, context: Context) => Artefacts;
  readonly rules: readonly Rule<Artefacts>[];
};

/** Takes a model and a message; returns the ids of all its checks that refuse what the sender presents, in their order. */
export const brokenOf = <Artefacts>(
  { present, rules }: Model<Artefacts>,
  message: Uint8Array,
  context: Context,
): string[] => {
  const artefacts = present(message, context);
  return rules.filter((rule) => !rule.holds(artefacts, context)).map(({ id }) => id);
};

/** Takes a model, and what its sender presents; returns its decision with the checks named in `off` left out. */
export const decide = <Artefacts>(
  { rules }: Model<Artefacts>,
  artefacts: Artefacts,
  context: Context,
  off: ReadonlySet<string> = new Set(),
): Decision => {
  const broken = rules.find((rule) => !off.has(rule.id) && !rule.holds(artefacts, context));
  return { accepted: broken === undefined, decidedBy: broken?.id ?? null };
};

/** Takes a model and the ids of checks that are turned off; returns its receiver. Throws RangeError on an id that the model does not have. */
export const receiverOf = <Artefacts>(model: Model<Artefacts>, off: ReadonlySet<string> = new Set()): Receiver => {
  const unknown = [...off].find((id) => !model.rules.some((rule) => rule.id === id));
  if (unknown !== undefined) throw new RangeError(`${model.name} has no check ${unknown}`);
  return {
    name: model.name,
    source: model.source,
    checks: model.rules.map(({ id, section, text }) => ({ id, section, text })),
    receive: async (message, context) => decide(model, model.present(message, context), context, off),
  };
};
