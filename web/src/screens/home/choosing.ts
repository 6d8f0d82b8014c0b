import { useCallback, useState } from 'react';

/** Which runs are chosen, to do something with all of them. */
export interface Choosing {
  on: boolean;
  chosen: ReadonlySet<string>;
  toggle(): void;
  choose(id: string, chosen: boolean): void;
  set(ids: readonly string[]): void;
}

export function useChoosing(): Choosing {
  const [on, setOn] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const set = useCallback((ids: readonly string[]) => setChosen(new Set(ids)), []);
  const toggle = useCallback(() => {
    setOn((before) => !before);
    set([]);
  }, [set]);
  const choose = useCallback(
    (id: string, isChosen: boolean) =>
      setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((each) => each !== id))),
    [],
  );
  return { on, chosen, toggle, choose, set };
}
