import { Module } from '@nestjs/common';
import { TextEmbedder } from './text-embedder.js';

/** Vectors of queries and of manually written memories. */
@Module({ providers: [TextEmbedder], exports: [TextEmbedder] })
export class EmbeddingModule {}
