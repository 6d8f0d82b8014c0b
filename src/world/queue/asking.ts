import type { Db } from 'pg-boss';

/** It has some fifty. A name is kept as long as its connection: should a later version write values into its texts, they end here. */
const MOST_NAMES = 200;

/**
 * How pg-boss asks its database, changed in two things: a statement has a name, so that a connection reads and plans it once and
 * not for every job; and what is said to be in a queue is told here too (null: it may have been said while nobody listened).
 */
export function prepare(db: Db, heard: (queue: string | null) => void): void {
  const { executeSql, listen } = db;
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < MOST_NAMES) names.set(text, `q${names.size}`);
    return names.get(text);
  };
  db.executeSql = (text, values) => {
    // Without values it may be several statements, which cannot have a name.
    if (values === undefined || values.length === 0) return executeSql.call(db, text, values);
    const named = { name: nameOf(text), text, values };
    // Handed on as it is to the driver, which takes either.
    return executeSql.call(db, named as unknown as string);
  };
  db.listen = (channel, onNotification, onReconnect) =>
    listen!.call(
      db,
      channel,
      (queue) => {
        onNotification(queue);
        heard(queue);
      },
      () => {
        onReconnect();
        heard(null);
      },
    );
}
