import { say } from '../api/ask.ts';

export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => say('Copied'),
    () => say('The browser does not let this page copy.', true),
  );
