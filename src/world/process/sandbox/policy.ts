/** What a person has let a command do beyond the sandbox. Each is just that and no more. */
export interface SandboxGrants {
  /** The machine's own network, its loopback included. */
  network?: boolean | undefined;
  /**
   * Files and folders that may be written. Only real paths that exist count: one that leads through a link is not
   * what the person was shown, and is passed over.
   */
  write?: string[] | undefined;
  /**
   * root keeps its capabilities and sees /run. Nobody else can gain privilege in a sandbox: there the command runs
   * outside of it.
   */
  privilege?: boolean | undefined;
}

/** What a command may touch. Paths are absolute. */
export interface SandboxPolicy {
  workspace: string;
  grants: SandboxGrants;
  /** Ports of this machine's loopback that it reaches although it has no network: those of the run's own services. */
  loopback?: readonly number[] | undefined;
  /** What it sees, and cannot write, although a folder that the sandbox has to itself lies over it. */
  shown?: readonly string[] | undefined;
  /** The home whose secrets are hidden. */
  home: string;
  /** Package caches: the command sees them and may write, and what it writes is gone when it ends. */
  caches: string[];
  /** Hidden, whatever is granted. Where configuration lies beside the store, the folder that holds both. */
  storeDir: string;
  /** Where Planwright's configuration lies, besides the usual place. Hidden likewise. */
  configDir?: string | undefined;
}

/** Which user the sandbox is made by, and how. */
export interface SandboxHost {
  uid: number;
  gid: number;
  /** In a user namespace: always for users, for root only where it lacks the right to do without. */
  userNamespace: boolean;
  /** Whether caches can be overlays; otherwise they are empty. */
  overlays: boolean;
}

/** The path is the folder, or in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || folder === '/' || path.startsWith(`${folder}/`);
