import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A deletion whose words may remain in the files of the embedded database until they are rewritten. */
@Entity('file_scrubs')
export class FileScrubEntity {
  @PrimaryColumn('uuid') id: string;
  /** The last table that was rewritten for it, empty before the first; null until it is begun. */
  @Column('text', { nullable: true }) rewritten_to: string | null;
}
