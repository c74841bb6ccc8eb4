import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';

/** The API documentation. */
@Module({
  controllers: [DocsController],
})
export class DocsModule {}
