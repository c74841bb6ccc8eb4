import path from 'node:path';
import { blankCode, listSlugs } from './headings.mjs';

/**
 * @typedef {object} Problem
 * @property {string} file
 * @property {number} line from 1
 * @property {string} message what is wrong, and what to do
 */

const REFERENCE = /(?<!\]\()\bdocs\/reference\/([\w-]+\.md)(?:#([\w-]+))?/g;
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s+<?([^\s>]+)/gm;
const IS_ELSEWHERE = /^(?:[a-z][a-z+.-]*:|\/\/)/i;

/** Documents outside of the repository: decisions by a number of one or two digits, sections of specifications. */
const FOREIGN = [
  /\bdecisions?(?: |\s*\n\s*(?:\*|\/\/|--) )\d{1,2}(?!\d)/gi,
  /\b(?:SYS|AGT|ALG|LLM|APP) ?(?:§|"[A-Z])/g,
];

/**
 * Citations and links whose target does not exist.
 * @param {ReadonlyMap<string, string>} files texts by path from the root of the repository, with `/`
 * @returns {Problem[]}
 */
export function findProblems(files) {
  const repository = new Repository(files);
  return [...files].flatMap(([file, text]) => [
    ...findForeign(file, text),
    ...findBrokenCitations(file, text, repository),
    ...(file.endsWith('.md') ? findBrokenLinks(file, text, repository) : []),
  ]);
}

/** Files, folders and headings that may be linked to. */
class Repository {
  #slugs = new Map();
  #folders = new Set(['.']);

  constructor(files) {
    this.files = files;
    for (const file of files.keys())
      for (let folder = path.posix.dirname(file); !this.#folders.has(folder); folder = path.posix.dirname(folder))
        this.#folders.add(folder);
  }

  /** Why a target does not exist, as the end of a sentence; undefined when it exists. */
  explainMissing(file, slug) {
    if (!this.files.has(file)) return this.#folders.has(file) ? undefined : `there is no file ${file}`;
    if (!slug || !file.endsWith('.md') || this.#slugsOf(file).has(slug)) return undefined;
    return `${file} has no heading with the id "${slug}"`;
  }

  #slugsOf(file) {
    const slugs = this.#slugs.get(file) ?? listSlugs(this.files.get(file));
    this.#slugs.set(file, slugs);
    return slugs;
  }
}

function findForeign(file, text) {
  return FOREIGN.flatMap((pattern) => [...text.matchAll(pattern)]).map(({ 0: cited, index }) => ({
    file,
    line: lineAt(text, index),
    message: `"${cited}" cites a document outside of the repository. Cite docs/reference/<page>.md#<heading>, or a record of docs/decisions by its four digits.`,
  }));
}

function findBrokenCitations(file, text, repository) {
  const citations = [...text.matchAll(REFERENCE)].map(({ 0: cited, 1: page, 2: slug, index }) => {
    const missing = repository.explainMissing(`docs/reference/${page}`, slug);
    return {
      missing,
      index,
      message: `The citation ${cited} is broken: ${missing}. Cite an existing heading, or add it.`,
    };
  });
  return reportMissing(file, text, citations);
}

function findBrokenLinks(file, text, repository) {
  const local = [...blankCode(text).matchAll(LINK)]
    .map(({ 1: inline, 2: defined, index }) => ({ link: inline ?? defined, index }))
    .filter(({ link }) => !IS_ELSEWHERE.test(link));
  const links = local.map(({ link, index }) => {
    const [target, slug] = decodeURI(link).split('#');
    const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    const missing = repository.explainMissing(linked.replace(/\/$/, ''), slug);
    return { missing, index, message: `The link ${link} is broken: ${missing}. Correct or remove it.` };
  });
  return reportMissing(file, text, links);
}

function reportMissing(file, text, cited) {
  return cited
    .filter(({ missing }) => missing !== undefined)
    .map(({ index, message }) => ({ file, line: lineAt(text, index), message }));
}

function lineAt(text, index) {
  return text.slice(0, index).split('\n').length;
}
