import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runTool } from '../services/processes.mjs';

const SCRIPT = path.join(import.meta.dirname, '../services/render-kubernetes.mjs');

/** The objects of k8s/overlays/local. */
export function renderLocal() {
  const input = JSON.stringify({ local: { resources: ['../../overlays/local'] } });
  const { local } = JSON.parse(runTool(process.execPath, [SCRIPT], { input }));
  if (typeof local !== 'string') throw new Error(local.error);
  return parseAllDocuments(local).map((document) => document.toJS());
}

/** What `kubectl create job --from=cronjob/NAME` makes. */
export function jobOf(cronJob, name) {
  const { spec, metadata } = cronJob.spec.jobTemplate;
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { ...metadata, name }, spec };
}

/** Every image that the objects name, once. */
export function listImages(objects) {
  const pods = objects.flatMap(({ spec }) => (spec?.template ?? spec?.jobTemplate?.spec.template)?.spec ?? []);
  return [...new Set(pods.flatMap(({ containers }) => containers.map(({ image }) => image)))];
}
