#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findHost } from './host.mjs';
import { runTool, succeeds } from './processes.mjs';

// Renders kustomizations: standard input is a JSON object of kustomizations by name, written as if they stood in the folder
// k8s/rendered/NAME. Prints a JSON object of the rendered YAML by name, or of `{ error }`. Uses kustomize or kubectl of this
// machine, else the kustomize of the host of `npm run services`.
const root = path.resolve(import.meta.dirname, '../..');
/** What kustomizations read. */
const FOLDERS = ['k8s', 'infra/grafana', 'infra/prometheus'];

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const kustomizations = JSON.parse(Buffer.concat(chunks).toString());

const renderer = findRenderer();
try {
  for (const folder of FOLDERS) {
    cpSync(path.join(root, folder), path.join(renderer.outside, folder), { recursive: true });
  }
  process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(kustomizations).map(render))));
} finally {
  renderer.remove();
}

function render([name, kustomization]) {
  const folder = `k8s/rendered/${name}`;
  mkdirSync(path.join(renderer.outside, folder), { recursive: true });
  // JSON is YAML.
  writeFileSync(path.join(renderer.outside, folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  try {
    return [name, renderer.build(path.join(renderer.inside, folder))];
  } catch (error) {
    return [name, { error: error.message }];
  }
}

function findRenderer() {
  if (succeeds('kustomize', ['version'])) return onThisMachine('kustomize', ['build']);
  if (succeeds('kubectl', ['version', '--client'])) return onThisMachine('kubectl', ['kustomize']);
  const host = findHost();
  const name = `private/kustomize-${randomUUID()}`;
  return {
    outside: host.folderOf(name),
    // Readable for the user of the host.
    inside: host.createData(name),
    build: (folder) => host.run('kustomize', ['build', folder]),
    remove: () => host.removeData(name),
  };
}

function onThisMachine(command, args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'annals-kustomize-'));
  return {
    outside: folder,
    inside: folder,
    build: (target) => runTool(command, [...args, target]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
