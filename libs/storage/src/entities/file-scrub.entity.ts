import { Entity, PrimaryColumn } from 'typeorm';

/** A deletion whose words may remain in the files of the embedded database until they are rewritten. */
@Entity('file_scrubs')
export class FileScrubEntity {
  @PrimaryColumn('uuid') id: string;
}
