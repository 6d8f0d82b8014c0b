/**
 * A checkable form of `expects`. The plan room reads it from the step's text; the actions room tests it.
 * Text that reads as none of these stays text: it is shown, never tested.
 */
export type Expectation =
  | { kind: 'exit'; code: number }
  | { kind: 'file-exists'; path: string; exists: boolean }
  | { kind: 'dir-exists'; path: string; exists: boolean }
  | { kind: 'file-contains'; path: string; text: string }
  | { kind: 'output-contains'; stream: 'stdout' | 'stderr' | 'output'; text: string; contains: boolean }
  | { kind: 'output-matches'; stream: 'stdout' | 'stderr' | 'output'; pattern: string }
  | { kind: 'port'; port: number; open: boolean }
  | { kind: 'url'; url: string; status: number; contains?: string }
  | { kind: 'command-exists'; command: string };
