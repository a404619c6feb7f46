// The web-standard globals that the pure folders may use; Node and browsers both have them.
interface TextEncoderLike {
  encode(input: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { readonly read: number; readonly written: number };
}
interface TextDecoderLike {
  decode(input?: Uint8Array): string;
}
declare const TextEncoder: { new (): TextEncoderLike };
declare const TextDecoder: {
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoderLike;
};
