export interface SecretStream {
  /** Text that is certain by now. At most one line, or 16 kB, is held back. */
  push(chunk: string): string;
  /** What is still held back. The stream starts anew after it. */
  flush(): string;
}

export interface SecretByteStream {
  push(chunk: Uint8Array): Uint8Array;
  flush(): Uint8Array;
}

export interface SecretFilter {
  /** The whole text with every secret replaced by `[secret]`. */
  text(text: string): string;
  /** For text that arrives in pieces. However it is cut, the pieces put together are `text` of the whole. */
  stream(): SecretStream;
  /** The same for UTF-8 bytes, which may be cut inside a character. */
  bytes(): SecretByteStream;
}

export interface SecretFilterOptions {
  /** Literal values to hide besides what looks like a secret, such as those of `secretValues`. */
  readonly values?: readonly string[];
}
