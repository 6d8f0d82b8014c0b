type Maybe<T> = T | Promise<T>;

/**
 * What validation asks about the workspace. Paths are as in the plan: relative to the workspace, or absolute. Never
 * throws: what cannot be known is null or false.
 */
export interface WorkspaceFacts {
  exists(path: string): Maybe<boolean>;
  /** `other` for pipes, devices and sockets. Links are followed; null where there is nothing. */
  kind(path: string): Maybe<'file' | 'dir' | 'other' | null>;
  /**
   * The absolute path with all links resolved, also those at the end; for a path that does not exist yet, its nearest
   * existing parent resolved, and the rest. `realpath('.')` is the workspace itself. Null where it cannot be known.
   */
  realpath(path: string): Maybe<string | null>;
  commandExists?(name: string): Maybe<boolean>;
  /** `linux`, `macos`, `windows` or `bsd`; null for any other. */
  system?(): Maybe<string | null>;
}
