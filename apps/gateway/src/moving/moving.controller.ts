import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { Call } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { RecordImport } from './record-import.js';

@Controller()
export class MovingController {
  constructor(@Inject(RecordImport) private readonly records: RecordImport) {}

  @Endpoint(routes.importRecords)
  async importRecords(call: Call<typeof routes.importRecords>) {
    return this.records.import(call);
  }
}
