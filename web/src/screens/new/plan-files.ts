export interface Dropped {
  name: string;
  text: string;
  kind: 'plan' | 'runbook';
}

const most = 1_000_000;

/** Markdown is a runbook; everything else is read as a plan file. Null where it is too large to be either. */
export async function readFile(file: File): Promise<Dropped | null> {
  if (file.size > most) return null;
  const kind = /\.(md|markdown)$/i.test(file.name) ? 'runbook' : 'plan';
  return { name: file.name, text: await file.text(), kind };
}
