import type { PostgresDatabase } from './connection.ts';

/** Whether everything is there that is referred to. Pages are PostgreSQL's own to check. */
export async function checkStore(db: PostgresDatabase): Promise<string[]> {
  const found = await db.query<{ said: string }>(`
    SELECT format('the stream %s has %s of %s events', s.name, count(e.seq), s.last_seq) AS said
    FROM streams s LEFT JOIN events e ON e.stream = s.id AND e.seq BETWEEN 1 AND s.last_seq
    GROUP BY s.id HAVING count(e.seq) <> s.last_seq
    UNION ALL
    SELECT format('the stream %s lacks a long value (%s)', s.name, r.hash)
    FROM blob_refs r JOIN streams s ON s.id = r.stream LEFT JOIN blobs b ON b.hash = r.hash WHERE b.hash IS NULL
    UNION ALL
    SELECT format('the stream %s is listed and is not there', l.id)
    FROM listing l LEFT JOIN streams s ON s.id = l.stream WHERE s.id IS NULL`);
  return found.map(({ said }) => said);
}
