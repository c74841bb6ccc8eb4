const LABEL = 'org.opencontainers.image.';

/**
 * What is wrong with an image, from `docker image inspect`.
 * @param {object} image
 * @param {{ service: string, version: string }} expected
 * @returns {{ problems: string[] }}
 */
export function readFacts({ Config }, { service, version }) {
  const labels = Config.Labels ?? {};
  const problems = [];
  if (!/^[1-9]\d*:[1-9]\d*$/.test(Config.User)) problems.push(`Its user is "${Config.User}", not two numbers above 0.`);
  for (const name of ['title', 'description', 'source', 'version', 'revision', 'licenses'])
    if (!labels[LABEL + name]) problems.push(`It has no label ${LABEL}${name}.`);
  if (!labels[`${LABEL}title`]?.includes(service)) problems.push(`Its title is "${labels[`${LABEL}title`]}".`);
  if (labels[`${LABEL}version`] !== version) problems.push(`Its version is "${labels[`${LABEL}version`]}".`);
  if (Config.Entrypoint?.join(' ') !== '/app/entrypoint.sh') problems.push(`Its entrypoint is ${Config.Entrypoint}.`);
  const secrets = (Config.Env ?? []).filter((entry) => /PASSWORD|SECRET|_KEY|TOKEN/.test(entry.split('=')[0]));
  if (secrets.length > 0) problems.push(`It sets ${secrets.map((entry) => entry.split('=')[0]).join(', ')}.`);
  return { problems };
}

/**
 * Compares an SBOM with what is in the image.
 * @param {{ sbom: { components: { purl: string }[] }, npm: { name: string, version: string }[], debian: string[] }} found
 *   debian: lines of name and version
 */
export function compareSbom({ sbom, npm, debian }) {
  const inImage = new Set([
    ...npm.map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`),
    ...debian.map((line) => line.split(' ')).map(([name, version]) => debianUrl(name, version)),
  ]);
  const listed = new Set(sbom.components.map(({ purl }) => purl.split('?')[0]).filter((purl) => !isNode(purl)));
  const count = (kind) => [...inImage].filter((purl) => purl.startsWith(`pkg:${kind}/`)).length;
  return {
    missing: [...inImage].filter((purl) => !listed.has(purl)),
    surplus: [...listed].filter((purl) => !inImage.has(purl)),
    total: { npm: count('npm'), debian: count('deb') },
  };
}

/**
 * Lines of name and version of the packages in a status file of dpkg.
 * @param {string} text
 * @returns {string[]}
 */
export function parseStatus(text) {
  const names = [...text.matchAll(/^Package: (.+)$/gm)].map(([, name]) => name);
  const versions = [...text.matchAll(/^Version: (.+)$/gm)].map(([, version]) => version);
  return names.map((name, index) => `${name} ${versions[index]}`);
}

function debianUrl(name, version) {
  return `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}`;
}

function isNode(purl) {
  return purl.startsWith('pkg:generic/node@');
}
