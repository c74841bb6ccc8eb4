import { Module } from '@nestjs/common';
import { MindsController } from './minds.controller.js';

/** Runs of all minds; what a mind made is in the module of its feature. */
@Module({ controllers: [MindsController] })
export class MindsModule {}
