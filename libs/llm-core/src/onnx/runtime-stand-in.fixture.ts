import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A folder with a package in place of the runtime, which is not part of an installation. `module` exports its names
 * (`AutoTokenizer`, `AutoModel` …) as JavaScript.
 */
export async function writeRuntimeStandIn(module: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'annals-onnx-'));
  const installed = path.join(folder, 'node_modules/@huggingface/transformers');
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, 'package.json'), JSON.stringify({ type: 'module', main: 'index.js' }));
  await writeFile(path.join(installed, 'index.js'), module);
  return folder;
}
