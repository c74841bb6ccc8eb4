import type { AnnalsSystem } from '@annals/testing';

type Inspected = Pick<AnnalsSystem, 'inspect'>;

/** Has the database refuse each memory that contains the word, as data that it can never store. */
export async function refuseWord(system: Inspected, word: string): Promise<void> {
  await system.inspect(async (query) => {
    await query(`CREATE FUNCTION annals.refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.content LIKE '%${word}%' THEN RAISE EXCEPTION 'no' USING ERRCODE = 'check_violation'; END IF;
        RETURN NEW;
      END $$`);
    await query(`CREATE TRIGGER refuse_poison BEFORE INSERT ON annals.memories
      FOR EACH ROW EXECUTE FUNCTION annals.refuse_poison()`);
  });
}

/** Stores them again. */
export async function acceptWord(system: Inspected): Promise<void> {
  await system.inspect((query) => query('DROP TRIGGER refuse_poison ON annals.memories'));
}
