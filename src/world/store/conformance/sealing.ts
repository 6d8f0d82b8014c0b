import { expect, it } from 'vitest';
import { type MakeWorld, promises } from './world.ts';

/** What is sealed by a store, on every store: opened by it alone, whichever process asks. */
export const sealingConformance = (make: MakeWorld): void =>
  promises('sealing', make, (world, store) => {
    it('is opened again by every process of this store, and by no other store', async () => {
      const sealed = store().sealing.seal('hunter2');
      expect(sealed).not.toContain('hunter2');
      expect(store().sealing.seal('hunter2')).not.toBe(sealed);
      expect((await world().party(2)).sealing.open(sealed)).toBe('hunter2');
      const elsewhere = await make();
      const other = (await elsewhere.party(1)).sealing;
      other.seal('has a key of its own');
      expect(other.open(sealed)).toBeNull();
      expect(other.nameOf('hunter2')).not.toBe(store().sealing.nameOf('hunter2'));
      await elsewhere.close();
    });

    it('names a value the same in every process, and another one differently', async () => {
      const { sealing } = await world().party(2);
      expect(sealing.nameOf('hunter2')).toBe(store().sealing.nameOf('hunter2'));
      expect(sealing.nameOf('hunter3')).not.toBe(sealing.nameOf('hunter2'));
    });
  });
