import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { reportWhile } from './report.mjs';
import { installPackages } from './tools.mjs';

const RUNTIME = { name: '@huggingface/transformers', version: '4.3.1' };
const folder = inRoot('.onnx');

/** Installs the runtime for ONNX models (0.5 GB) into the default folder of ANNALS_EMBEDDINGS_RUNTIME_DIR and ANNALS_RERANK_RUNTIME_DIR. */
export async function installOnnxRuntime() {
  const manifest = path.join(folder, 'node_modules', RUNTIME.name, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === RUNTIME.version) return;
  await mkdir(folder, { recursive: true });
  await reportWhile(`fetching ${RUNTIME.name} ${RUNTIME.version} into .onnx (0.5 GB, once)`, () =>
    installPackages(folder, [RUNTIME]),
  );
}
